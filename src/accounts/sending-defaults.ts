import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { auditAccount } from './account-audit.ts';

/** A company's values for new documents that come without their own. Existing documents never change with them. */
export interface SendingDefaults {
  /** For documents that the console creates. Null: they never expire. */
  expires_in_days: number | null;
  /** The days before each reminder. Null: the schedule of the service. Empty: none. */
  reminder_days: number[] | null;
  /** A reminder this many days before a document expires. Null: none. */
  expiry_reminder_days: number | null;
}

const columns = `default_expires_in_days as expires_in_days, default_reminder_days as reminder_days,
  default_expiry_reminder_days as expiry_reminder_days`;

const noDefaults: SendingDefaults = { expires_in_days: null, reminder_days: null, expiry_reminder_days: null };

export async function readSendingDefaults(db: Queryable, accountId: string): Promise<SendingDefaults> {
  const [row] = await db.query<SendingDefaults>({
    name: 'read_sending_defaults',
    text: `select ${columns} from accounts where id = $1`,
    values: [accountId],
  });
  return row ?? noDefaults;
}

/** Reads the defaults for a change of some of them. No other change comes between. */
export async function lockSendingDefaults(tx: Tx, accountId: string): Promise<SendingDefaults> {
  const [row] = await tx.query<SendingDefaults>({
    name: 'lock_sending_defaults',
    text: `select ${columns} from accounts where id = $1 for no key update`,
    values: [accountId],
  });
  return row ?? noDefaults;
}

/**
 * Sets the defaults for documents that are created from now on. Returns null if the account does not exist. `personId`: the
 * person for the account's audit log, null for an operator.
 */
export async function setSendingDefaults(
  world: World,
  tx: Tx,
  accountId: string,
  { expires_in_days, reminder_days, expiry_reminder_days }: SendingDefaults,
  personId: string | null,
): Promise<SendingDefaults | null> {
  const [row] = await tx.query<SendingDefaults>({
    name: 'set_sending_defaults',
    text: `update accounts set default_expires_in_days = $2, default_reminder_days = $3, default_expiry_reminder_days = $4
           where id = $1 returning ${columns}`,
    values: [accountId, expires_in_days, reminder_days, expiry_reminder_days],
  });
  if (row === undefined) return null;
  await auditAccount(world, tx, { accountId, personId, action: 'sending_defaults_set', detail: { ...row } });
  return row;
}
