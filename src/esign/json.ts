import type { Connection } from './connection.ts';

/** Formats a connection for the console and the command line. Its tokens are left out. */
export function connectionJson(connection: Connection | null) {
  return {
    object: 'connection',
    provider: 'esign_vendor',
    id: connection?.id ?? null,
    status: connection?.status ?? ('not_connected' as const),
    vendor_account: connection && { id: connection.vendor_account_id, name: connection.vendor_account_name },
    vendor_user: connection && { name: connection.vendor_user_name, email: connection.vendor_user_email },
    connected_by: connection?.connected_by ?? null,
    connected_at: connection?.connected_at ?? null,
    refreshed_at: connection?.refreshed_at ?? null,
    refused_at: connection?.refused_at ?? null,
  };
}
