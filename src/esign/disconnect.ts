import { auditAccount } from '../accounts/account-audit.ts';
import { tokenContext } from './connection.ts';
import type { EsignMeans } from './esign-means.ts';

/**
 * Deletes the tokens first, so that nothing of ours uses them any more, and then has the vendor revoke them. `revoked`:
 * whether it confirmed that. Null: there was no connection. `personId` null: the operator.
 */
export async function disconnect(
  means: EsignMeans,
  accountId: string,
  personId: string | null,
): Promise<{ revoked: boolean } | null> {
  const { world, database } = means;
  const removed = await database.transaction(async (tx) => {
    const [row] = await tx.query<Removed>({
      name: 'remove_esign_connection',
      text: 'delete from esign_connections where account_id = $1 returning id, vendor_account_id, refresh_token',
      values: [accountId],
    });
    if (row === undefined) return null;
    const detail = { connection_id: row.id, vendor_account_id: row.vendor_account_id };
    await auditAccount(world, tx, { accountId, personId, action: 'esign_disconnected', detail });
    return row;
  });
  return removed && { revoked: await revokeRemoved(means, removed) };
}

interface Removed {
  id: string;
  vendor_account_id: string;
  refresh_token: Buffer;
}

/** A token that our key does not open cannot be revoked, but is as deleted as any. */
async function revokeRemoved({ secretBox, oauth }: EsignMeans, removed: Removed): Promise<boolean> {
  if (oauth === null) return false;
  try {
    return await oauth.revoke(secretBox.decrypt(removed.refresh_token, tokenContext.refresh(removed.id)));
  } catch {
    return false;
  }
}
