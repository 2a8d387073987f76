import { type AccountAction, auditAccount } from '../../src/accounts/account-audit.ts';
import { setStream } from '../../src/audit-stream/manage-stream.ts';
import type { AuditStream, StreamKind } from '../../src/audit-stream/stream.ts';
import { firstIdAt } from '../../src/platform/ids.ts';
import type { Queryable } from '../../src/postgres/database.ts';
import { eventually, type TestService } from '../support/service.ts';
import { secretBoxOf } from '../support/webhooks.ts';

type App = Pick<TestService, 'world' | 'db' | 'dataDir'>;

/** Sets the stream of a company without checking its address. */
export async function streamTo(
  app: App,
  accountId: string,
  url: string,
  kind: StreamKind = 'webhook',
): Promise<AuditStream & { secret: string | null }> {
  const secretBox = await secretBoxOf(app);
  return app.db.transaction((tx) =>
    setStream(app.world, tx, secretBox, { accountId, personId: null }, { kind, url, concern: null }),
  );
}

/** Writes an entry to the audit log of a company, or of a person (`accountId` null). `n` names it. */
export function note(
  app: Pick<TestService, 'world'>,
  db: Queryable,
  accountId: string | null,
  n: number | string,
  { action = 'folder_created', personId = null }: { action?: AccountAction; personId?: string | null } = {},
): Promise<void> {
  return auditAccount(app.world, db, { accountId, personId, action, detail: { name: String(n) } });
}

interface StreamRow {
  failures: number;
  failing_since: string | null;
  last_error: string | null;
  last_entry_id: string | null;
  sent_entries: number;
  waiting: number;
}

export async function stateOf(app: Pick<TestService, 'db'>, accountId: string): Promise<StreamRow> {
  const [row] = await app.db.query<StreamRow>({
    name: '',
    text: `select failures, failing_since, last_error, last_entry_id, sent_entries::int,
             (select count(*)::int from audit_stream_entries e where e.account_id = $1) as waiting
           from audit_streams where account_id = $1`,
    values: [accountId],
  });
  if (row === undefined) throw new Error('no stream');
  return row;
}

/** Lets time pass until nothing waits. */
export function drained(app: TestService, accountId: string): Promise<StreamRow> {
  return eventually(
    async () => {
      app.clock.advance({ seconds: 1 });
      return stateOf(app, accountId);
    },
    ({ waiting }) => waiting === 0,
  );
}

/** Lets time pass until an attempt has failed `failures` times in a row. */
export function failed(app: TestService, accountId: string, failures: number): Promise<StreamRow> {
  return eventually(
    async () => {
      app.clock.advance({ seconds: 1 });
      return stateOf(app, accountId);
    },
    (state) => state.failures >= failures,
  );
}

/** Waits until an attempt that hangs has failed. The lease of an attempt ends before it where time passes faster. */
export function failedLate(app: TestService, accountIds: string[]): Promise<StreamRow[]> {
  let last = performance.now();
  return eventually(
    async () => {
      const now = performance.now();
      app.clock.advance({ seconds: (now - last) / 1000 });
      last = now;
      return Promise.all(accountIds.map((id) => stateOf(app, id)));
    },
    (states) => states.every(({ failures }) => failures > 0),
  );
}

/** The ids that the audit log of the company has, from an action on, oldest first. */
export async function loggedIds(app: Pick<TestService, 'db'>, accountId: string): Promise<string[]> {
  const rows = await app.db.query<{ id: string }>({
    name: '',
    text: `select id from account_audit_entries where account_id = $1 and id >= coalesce((
             select id from account_audit_entries where account_id = $1 and action = 'audit_stream_set' order by id limit 1
           ), $2) order by id`,
    values: [accountId, firstIdAt(new Date(0))],
  });
  return rows.map(({ id }) => id);
}
