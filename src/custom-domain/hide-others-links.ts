import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf } from '../http/custom-host.ts';
import type { Queryable } from '../postgres/database.ts';

interface Owner {
  account_id: string;
  /** Whether the recipient has to sign in, which is done on PUBLIC_URL. */
  needs_session: boolean;
}

/** The tables of tokens by the first part of the path. */
const queries: Record<string, { name: string; text: string }> = {
  sign: {
    name: 'owner_of_signing_link',
    text: `select r.account_id, r.auth_level = 'l0_account_session' as needs_session
           from signing_links l join recipients r on r.id = l.recipient_id where l.token_hash = $1`,
  },
  draw: {
    name: 'owner_of_phone_drawing',
    text: `select r.account_id, false as needs_session
           from phone_drawings p join recipients r on r.id = p.recipient_id where p.token_hash = $1`,
  },
  link: {
    name: 'owner_of_public_link',
    text: 'select account_id, false as needs_session from public_links where token = $1',
  },
};

/** Has the length of no token. */
const unknownToken = 'unknown';

/**
 * On the host of a company, makes the links of all other companies unknown ones: routes get another token, so that no answer can
 * tell such a link from an invented one. A recipient who has to sign in is redirected to `publicUrl`, because sessions and
 * passkeys belong there.
 */
export function hideOthersLinks(app: FastifyInstance, db: Queryable, publicUrl: string | null): void {
  const asked = new WeakMap<FastifyRequest, string>();
  app.addHook('onRequest', async (request) => {
    const { token } = request.params as { token?: string };
    if (request.customHost === undefined || token === undefined) return;
    asked.set(request, token);
    withToken(request, unknownToken);
  });
  // After the hooks that refuse requests, which may ask the database then.
  app.addHook('preValidation', async (request, reply) => {
    const token = asked.get(request);
    if (token === undefined) return;
    const owner = await findOwner(db, request, token);
    if (owner === null || owner.account_id !== request.customHost?.accountId) return;
    if (!owner.needs_session) withToken(request, token);
    else if (['GET', 'HEAD'].includes(request.method)) return reply.redirect(publicUrl + pathOf(request), 307);
  });
}

function withToken(request: FastifyRequest, token: string): void {
  request.params = { ...(request.params as object), token };
}

async function findOwner(db: Queryable, { routeOptions }: FastifyRequest, token: string): Promise<Owner | null> {
  const part = routeOptions.url?.split('/')[1] ?? '';
  const query = queries[part];
  if (query === undefined || token.length > 64 || token.includes('\0')) return null;
  const value = part === 'link' ? token : createHash('sha256').update(token).digest();
  const [row] = await db.query<Owner>({ ...query, values: [value] });
  return row ?? null;
}
