import type { FastifyRequest } from 'fastify';
import { isForeign } from '../http/is-foreign.ts';
import { SigningError } from './signing-error.ts';

/** Another site cannot make a visitor's browser sign: browsers say where a request comes from. */
export function assertFromOurPage(request: FastifyRequest, publicUrl: string | null): void {
  if (isForeign(request, publicUrl)) throw new SigningError('malformed_request');
}
