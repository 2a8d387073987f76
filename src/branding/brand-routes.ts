import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../postgres/database.ts';
import { accentAddress, accentCss } from './accent-css.ts';
import type { LogoType } from './brand.ts';
import { findLogo } from './logo.ts';

interface FileRoute {
  Params: { file: string };
}

const forever = { 'cache-control': 'public, max-age=31536000, immutable' };

/**
 * Serves logos and the stylesheets of accent colours to signing pages, from our own origin as their content security policy
 * requires. Addresses contain a hash of the content, so an answer never changes.
 */
export async function brandRoutes(
  app: FastifyInstance,
  { db, guardIp }: { db: Queryable; guardIp: (ip: string) => void },
): Promise<void> {
  app.addHook('onRequest', async (request) => guardIp(request.ip));

  app.get<FileRoute>('/brand/accent/:file', async (request, reply) => {
    const [, digits] = /^([0-9a-f]{6})\.[0-9a-f]{10}\.css$/.exec(request.params.file) ?? [];
    if (digits === undefined) return notFound(reply);
    const accent = `#${digits}`;
    // A page of another version of the service has another hash. It gets this version's colours until it is loaded again.
    if (accentAddress(accent) === request.url) reply.headers(forever);
    return reply.type('text/css; charset=utf-8').send(accentCss(accent));
  });

  app.get<FileRoute>('/brand/logo/:file', async (request: FastifyRequest<FileRoute>, reply) => {
    const [, sha256, type] = /^([0-9a-f]{64})\.(png|jpeg)$/.exec(request.params.file) ?? [];
    const bytes = sha256 && (await findLogo(db, sha256, type as LogoType));
    if (!bytes) return notFound(reply);
    return reply.headers(forever).type(`image/${type}`).send(bytes);
  });
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}
