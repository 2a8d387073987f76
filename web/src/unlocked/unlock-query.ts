import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const pendingMs = 1000;

/** Reads the unlock status of a document and its price. Refreshes while it is being unlocked. */
export const unlockQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'unlock', id],
    queryFn: ({ signal }) => api.get('/documents/:id/unlock', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pendingMs : false),
  });
