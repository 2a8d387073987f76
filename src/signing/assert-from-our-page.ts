import type { FastifyRequest } from 'fastify';
import { isForeign } from '../http/is-foreign.ts';
import { SigningError } from './signing-error.ts';

/** Refuses requests from other sites, which could otherwise make a visitor's browser sign. */
export function assertFromOurPage(request: FastifyRequest, publicUrl: string | null): void {
  if (isForeign(request, publicUrl)) throw new SigningError('malformed_request');
}
