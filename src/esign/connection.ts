import type { Queryable } from '../postgres/database.ts';
import type { Timestamp } from '../postgres/timestamp.ts';

/** The connection of an account to the e-signature vendor. Only `withVendorAccess` reads its tokens. */
export interface Connection {
  id: string;
  account_id: string;
  /** `reconnect_needed`: the vendor refuses our tokens. An owner must give consent again. */
  status: 'connected' | 'reconnect_needed';
  vendor_account_id: string;
  vendor_account_name: string | null;
  vendor_user_name: string | null;
  vendor_user_email: string | null;
  /** An origin, without a trailing slash. */
  base_uri: string;
  /** The e-mail address of the user who connected it. Null: no longer known. */
  connected_by: string | null;
  connected_at: Timestamp;
  refreshed_at: Timestamp;
  refused_at: Timestamp | null;
}

const columns = `c.id, c.account_id, case when c.refused_at is null then 'connected' else 'reconnect_needed' end as status,
  c.vendor_account_id, c.vendor_account_name, c.vendor_user_name, c.vendor_user_email, c.base_uri,
  p.email as connected_by, c.connected_at, c.refreshed_at, c.refused_at`;

export async function findConnection(db: Queryable, accountId: string): Promise<Connection | null> {
  const rows = await db.query<Connection>({
    name: 'find_esign_connection',
    text: `select ${columns} from esign_connections c left join people p on p.id = c.connected_by
           where c.account_id = $1`,
    values: [accountId],
  });
  return rows[0] ?? null;
}

/** Finds a connection by its id, for the operator. */
export async function findConnectionById(db: Queryable, id: string): Promise<Connection | null> {
  const rows = await db.query<Connection>({
    name: 'find_esign_connection_by_id',
    text: `select ${columns} from esign_connections c left join people p on p.id = c.connected_by where c.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** The encryption context of each token. A token that is moved to another row or column can't be decrypted. */
export const tokenContext = {
  access: (connectionId: string) => `esign access token ${connectionId}`,
  refresh: (connectionId: string) => `esign refresh token ${connectionId}`,
};
