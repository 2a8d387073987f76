import { Type } from 'typebox';
import type { KeyMode } from '../../keys/api-key.ts';
import { type ApiKey, findKey, issueKey, pageKeys, revokeKey } from '../../keys/manage-keys.ts';
import { type Scope, scopes } from '../../keys/scopes.ts';
import { isUuid } from '../../platform/ids.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { type PagePosition, readListPage } from '../core/open-list.ts';
import { assertSelfServe } from '../core/self-serve.ts';
import { lockAccess } from '../core/still-may.ts';

const lifetimeDaysMax = 3650;
const newKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  mode: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: scopes.length }),
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: lifetimeDaysMax })),
});

interface NewKeyBody {
  name: string;
  mode: KeyMode;
  scopes: Scope[];
  expires_in_days?: number;
}

/** The company's API keys. A key is shown once. It cannot be changed, only revoked. */
export const keyEndpoints = [
  forMembers('GET /keys', 'admin', {}, listPage),
  forMembers('POST /keys', 'admin', { body: newKey, needsFreshSignIn: true }, create),
  forMembers('POST /keys/:id/revoke', 'admin', {}, revoke),
];

async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const read = ({ accountId, afterId, limit }: PagePosition) => pageKeys(deps.db, accountId, afterId, limit);
  return readListPage(deps, call, 'keys', read, keyJson);
}

async function create(deps: ConsoleDeps, call: MemberCall<NewKeyBody>) {
  const { world, db } = deps;
  const { caller, body } = call;
  const accountId = caller.membership.account_id;
  const { name, mode, scopes, expires_in_days: days } = body;
  const expiresAt = days === undefined ? null : new Date(world.clock.now().getTime() + days * 86_400_000).toISOString();
  return db.transaction(async (tx) => {
    await lockAccess(tx, call);
    await assertSelfServe(deps, tx, accountId);
    const input = { accountId, name: name.trim(), mode, scopes, expiresAt, legacy: false };
    const issued = await issueKey(world, tx, input, caller.person.id);
    if (issued === null) throw new ConsoleError('forbidden');
    return { ...keyJson(issued), key: issued.key };
  });
}

/** Revokes a key. This works on every plan, so that keys can be revoked after a downgrade. */
async function revoke({ world, db }: ConsoleDeps, { caller, params: { id = '' } }: MemberCall) {
  const accountId = caller.membership.account_id;
  return db.transaction(async (tx) => {
    const key = isUuid(id) ? await findKey(tx, accountId, id) : null;
    const revoked = key && (await revokeKey(world, tx, key.id, caller.person.id));
    if (revoked === null) throw new ConsoleError('not_found');
    return keyJson(revoked);
  });
}

function keyJson(key: ApiKey) {
  const { id, name, mode, scopes, hint, created_at, expires_at, revoked_at, last_used_at } = key;
  return { id, name, mode, scopes, hint, created_at, expires_at, revoked_at, last_used_at };
}
