import { queryOptions } from '@tanstack/react-query';
import type { Connection } from '../../../src/esign/connection.ts';
import { api } from '../api/client.ts';

interface VendorConnection {
  status: Connection['status'] | 'not_connected';
  vendor_account: { id: string; name: string | null } | null;
}

/** The one vendor for vendor imports. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: () => api.get<{ data: VendorConnection[] }>('/connections'),
});
