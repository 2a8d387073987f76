import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ApiFailure, api } from '../api/client.ts';
import type { DocumentDetail } from './types.ts';

const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'detail', id],
    queryFn: ({ signal }) => api.get('/documents/:id', { params: { id }, signal }),
    // A delivery is no change of the document, which live updates tell of.
    refetchInterval: ({ state }) => (hasWaitingMessage(state.data) ? waitingRefetchMs : false),
  });

const waitingRefetchMs = 5000;

function hasWaitingMessage(document: DocumentDetail | undefined): boolean {
  return document?.recipients.some(({ delivery }) => delivery?.state === 'waiting') === true;
}

/** Reads a document. If it becomes restricted while the page is open, members get "not found". */
export function useDocument(id: string) {
  const { data, error } = useQuery(documentQuery(id));
  const isGone = error instanceof ApiFailure && error.status === 404;
  return { document: isGone ? undefined : data, error };
}

/**
 * Shows the answer of a change at once and refreshes all documents. An outdated copy must not stay in the cache: sending it
 * would be refused as changed in the meantime.
 */
export function showChanged(queryClient: QueryClient, changed: DocumentDetail): Promise<void> {
  queryClient.setQueryData(documentQuery(changed.id).queryKey, changed);
  return queryClient.invalidateQueries({ queryKey: ['documents'] });
}
