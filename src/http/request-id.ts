import type { World } from '../world/world.ts';

/** What a client quotes when it asks about a request, and the log has beside it. */
export function newRequestId({ random }: Pick<World, 'random'>): string {
  return `req_${random.bytes(12).toString('hex')}`;
}
