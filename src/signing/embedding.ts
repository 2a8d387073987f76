import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../postgres/database.ts';

const tokenFormat = /^[A-Za-z0-9_-]{43}$/;

/** Returns the sites that may show the page of a signing link in a frame. None for an unknown link. */
export async function findEmbedOrigins(db: Queryable, token: string): Promise<string[]> {
  if (!tokenFormat.test(token)) return [];
  const [row] = await db.query<{ embed_origins: string[] }>({
    name: 'find_embed_origins',
    text: `select a.embed_origins from signing_links l join recipients r on r.id = l.recipient_id
           join accounts a on a.id = r.account_id where l.token_hash = $1`,
    values: [createHash('sha256').update(token).digest()],
  });
  return row?.embed_origins ?? [];
}

/** The pages at the end, which show nothing and can do nothing. */
const endings: readonly string[] = ['/sign/finished', '/sign/passed-on'];

/**
 * A page that another site frames could hide what is signed, so only the company's own sites may, and nobody by default. `path` is the
 * path of pages with a token, and `originsOf` finds the sites by it. Called after the hook that refuses requests.
 */
export function restrictFraming(
  app: FastifyInstance,
  path: string,
  originsOf: (token: string) => Promise<string[]>,
): void {
  // A throttled request must not ask the database: the guard's hook, which is registered before, refuses it.
  const admitted = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', async (request) => {
    admitted.add(request);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || !mayBeForFrame(request)) return payload;
    const { url = '' } = request.routeOptions;
    if (endings.includes(url)) allowFraming(request, reply, ['*']);
    else if (admitted.has(request) && url.startsWith(path)) {
      const { token } = request.params as { token: string };
      const origins = await originsOf(token).catch(() => []);
      if (origins.length > 0) allowFraming(request, reply, origins);
    }
    return payload;
  });
}

/** Whether the answer is shown in a frame, where only cookies for frames are kept. */
export function isForFrame({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-dest'] === 'iframe' || headers['sec-fetch-dest'] === 'frame';
}

/** Older browsers don't say where the answer goes. */
function mayBeForFrame(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-dest'] === undefined || isForFrame(request);
}

/**
 * Lets `ancestors` show this page in a frame, instead of nobody. `X-Frame-Options` stays for browsers that don't say that it is for a
 * frame: those that know `frame-ancestors` ignore it.
 */
function allowFraming(request: FastifyRequest, reply: FastifyReply, ancestors: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy'));
  const allowed = policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors.join(' ')}`);
  reply.header('content-security-policy', allowed);
  if (isForFrame(request)) reply.removeHeader('x-frame-options');
}
