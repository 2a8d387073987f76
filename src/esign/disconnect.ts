import { auditAccount } from '../accounts/account-audit.ts';
import { tokenContext } from './connection.ts';
import type { EsignDeps } from './esign-deps.ts';

/**
 * Disconnects an account from the vendor. Deletes the tokens first, so that no process uses them, and then asks the vendor to
 * revoke them. `revoked` says whether the vendor confirmed. Returns null if there was no connection. A null `personId` is the
 * operator.
 */
export async function disconnect(
  deps: EsignDeps,
  accountId: string,
  personId: string | null,
): Promise<{ revoked: boolean } | null> {
  const { world, database } = deps;
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
  return removed && { revoked: await revokeRemoved(deps, removed) };
}

interface Removed {
  id: string;
  vendor_account_id: string;
  refresh_token: Buffer;
}

/** Returns false for a token that can't be decrypted. It is deleted, but can't be revoked. */
async function revokeRemoved({ secretBox, oauth }: EsignDeps, removed: Removed): Promise<boolean> {
  if (oauth === null) return false;
  try {
    return await oauth.revoke(secretBox.decrypt(removed.refresh_token, tokenContext.refresh(removed.id)));
  } catch {
    return false;
  }
}
