import { type AccountAction, auditAccount } from '../accounts/account-audit.ts';
import { Refusal } from '../errors.ts';
import { randomBase62 } from '../platform/base62.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Statement, Tx } from '../postgres/database.ts';
import type { AcceptedDestination } from './check-destination.ts';
import {
  type AuditStream,
  replacedSecretHours,
  shownDestination,
  streamColumns,
  streamSecretContext,
} from './stream.ts';

/** Whose stream is changed, and by whom. `personId` is null for the operator. Each change is audited. */
export interface StreamChange {
  accountId: string;
  personId: string | null;
}

export async function findStream(db: Queryable, accountId: string): Promise<AuditStream | null> {
  const [found] = await db.query<AuditStream>({
    name: 'find_audit_stream',
    text: `select ${streamColumns} from audit_streams where account_id = $1`,
    values: [accountId],
  });
  return found ?? null;
}

/**
 * Sets or changes the destination. Entries that wait go to the new one. A webhook with a new URL gets a new secret, which is
 * shown only now: the old receiver knows the old one. The secret is null otherwise. The destination was checked by the caller,
 * because no transaction may wait for the network. Throws a `Refusal` when the account does not exist or was removed.
 */
export async function setStream(
  world: World,
  tx: Tx,
  secretBox: SecretBox,
  { accountId, personId }: StreamChange,
  { kind, url }: AcceptedDestination,
): Promise<AuditStream & { secret: string | null }> {
  // The lock makes concurrent changes wait, so that the secret that is shown is the one that is stored.
  const [account] = await tx.query<{ is_removed: boolean; url: string | null }>({
    name: 'lock_account_for_audit_stream',
    text: `select a.removed_at is not null as is_removed, s.url
           from accounts a left join audit_streams s on s.account_id = a.id where a.id = $1 for no key update of a`,
    values: [accountId],
  });
  if (account === undefined || account.is_removed) throw new Refusal('the account does not exist or was removed');
  const needsSecret = kind === 'webhook' && account.url !== url;
  const secret = needsSecret ? generateStreamSecret(world) : null;
  const sealed = secret && secretBox.encrypt(secret, streamSecretContext(accountId));
  const values = [accountId, kind, url, sealed, world.clock.now()];
  const stream = await change(
    world,
    tx,
    personId,
    'audit_stream_set',
    account.url === null ? insert(values) : replace(values),
  );
  if (stream === null) throw new Error('the stream was not stored');
  return { ...stream, secret };
}

const insert = (values: unknown[]): Statement<AuditStream> => ({
  name: 'set_audit_stream',
  text: `insert into audit_streams (account_id, kind, url, secret, created_at, next_attempt_at)
         values ($1, $2, $3, $4, $5, $5) returning ${streamColumns}`,
  values,
});

const replace = (values: unknown[]): Statement<AuditStream> => ({
  name: 'change_audit_stream',
  // Without the lease, the outcome of a batch that is under way to the old destination is not recorded.
  text: `update audit_streams set kind = $2, url = $3,
           secret = case when $2 = 'webhook' then coalesce($4, secret) end,
           previous_secret = case when $2 = 'webhook' and $4::bytea is null then previous_secret end,
           previous_secret_until = case when $2 = 'webhook' and $4::bytea is null then previous_secret_until end,
           failures = 0, failing_since = null, last_error = null, warned_at = null, next_attempt_at = $5,
           lease_id = null, leased_until = null
         where account_id = $1 returning ${streamColumns}`,
  values,
});

function generateStreamSecret({ random }: World): string {
  return `whsec_${randomBase62(random, secretCharacters)}`;
}

const secretCharacters = 32;

/**
 * Replaces the signing secret. Returns the stream with the new one, which is shown only now. The replaced one stays valid for a
 * day, unless it is replaced again. Null when there is no stream to a webhook.
 */
export async function rollStreamSecret(
  world: World,
  tx: Tx,
  secretBox: SecretBox,
  { accountId, personId }: StreamChange,
): Promise<(AuditStream & { secret: string }) | null> {
  const secret = generateStreamSecret(world);
  const now = world.clock.now();
  const rolled = await change(world, tx, personId, 'audit_stream_secret_rolled', {
    name: 'roll_audit_stream_secret',
    text: `update audit_streams set secret = $2, previous_secret = secret, previous_secret_until = $3
           where account_id = $1 and kind = 'webhook' returning ${streamColumns}`,
    values: [
      accountId,
      secretBox.encrypt(secret, streamSecretContext(accountId)),
      new Date(now.getTime() + replacedSecretHours * 3_600_000),
    ],
  });
  return rolled && { ...rolled, secret };
}

/**
 * Pauses the stream. Entries are kept and wait. A batch that is under way is the last one, and is sent again later. Null when there
 * is no stream.
 */
export function pauseStream(world: World, tx: Tx, { accountId, personId }: StreamChange): Promise<AuditStream | null> {
  return change(world, tx, personId, 'audit_stream_paused', {
    name: 'pause_audit_stream',
    text: `update audit_streams set paused_at = coalesce(paused_at, $2), lease_id = null, leased_until = null
           where account_id = $1 returning ${streamColumns}`,
    values: [accountId, world.clock.now()],
  });
}

/** Resumes the stream, also one that waits for its next attempt. Null when there is none. */
export function resumeStream(world: World, tx: Tx, { accountId, personId }: StreamChange): Promise<AuditStream | null> {
  return change(world, tx, personId, 'audit_stream_resumed', {
    name: 'resume_audit_stream',
    text: `update audit_streams
           set paused_at = null, failures = 0, failing_since = null, last_error = null, warned_at = null, next_attempt_at = $2,
             lease_id = null, leased_until = null
           where account_id = $1 returning ${streamColumns}`,
    values: [accountId, world.clock.now()],
  });
}

/** Removes the stream. `dropUnsent` then deletes what waits. Null when there is none. */
export function removeStream(world: World, tx: Tx, { accountId, personId }: StreamChange): Promise<AuditStream | null> {
  return change(world, tx, personId, 'audit_stream_removed', {
    name: 'remove_audit_stream',
    text: `delete from audit_streams where account_id = $1 returning ${streamColumns}`,
    values: [accountId],
  });
}

async function change(
  world: World,
  tx: Tx,
  personId: string | null,
  action: AccountAction,
  statement: Statement<AuditStream>,
): Promise<AuditStream | null> {
  const [changed] = await tx.query(statement);
  if (changed === undefined) return null;
  const { account_id: accountId, kind, url } = changed;
  await auditAccount(world, tx, { accountId, personId, action, detail: { kind, url: shownDestination(url) } });
  return changed;
}

const droppedAtOnce = 5000;

/** Deletes entries that wait for a stream that was removed, in batches: of one company, or of all. */
export async function dropUnsent(db: Queryable, accountId: string | null): Promise<void> {
  for (;;) {
    const dropped = await db.query({
      name: 'drop_unsent_audit_entries',
      text: `delete from audit_stream_entries where (account_id, entry_id) in (
               select e.account_id, e.entry_id from audit_stream_entries e
               where ($1::uuid is null or e.account_id = $1)
                 and not exists (select from audit_streams s where s.account_id = e.account_id)
               limit $2
             ) returning 1`,
      values: [accountId, droppedAtOnce],
    });
    if (dropped.length < droppedAtOnce) return;
  }
}

export interface Backlog {
  /** How many entries wait, counted up to `waitingMax`. */
  waiting: number;
  /** The first of them. Null: none waits. */
  first_entry_id: string | null;
}

export const waitingMax = 10_000;

export async function readBacklog(db: Queryable, accountId: string): Promise<Backlog> {
  const [found] = await db.query<Backlog>({
    name: 'read_audit_stream_backlog',
    text: `select count(*)::int as waiting, (array_agg(entry_id order by entry_id))[1] as first_entry_id
           from (select entry_id from audit_stream_entries where account_id = $1 order by entry_id limit ${waitingMax}) w`,
    values: [accountId],
  });
  return found ?? { waiting: 0, first_entry_id: null };
}
