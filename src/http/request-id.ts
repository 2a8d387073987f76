import type { World } from '../platform/world.ts';

/** Creates the id of a request. Clients quote it in questions, and the log contains it. */
export function newRequestId({ random }: Pick<World, 'random'>): string {
  return `req_${random.bytes(12).toString('hex')}`;
}
