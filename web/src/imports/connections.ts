import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** The one vendor for vendor imports. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: () => api.get('/connections'),
});
