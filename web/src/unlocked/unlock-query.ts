import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { UnlockView } from './types.ts';

const pendingMs = 1000;

/** How a document stands with unlocking, and what it costs. While it is being unlocked this is read again and again. */
export const unlockQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'unlock', id],
    queryFn: ({ signal }) => api.get<UnlockView>(`/documents/${id}/unlock`, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pendingMs : false),
  });
