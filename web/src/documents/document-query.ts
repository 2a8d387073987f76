import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ApiFailure, api } from '../api/client.ts';
import type { DocumentDetail } from './types.ts';

const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'detail', id],
    queryFn: ({ signal }) => api.get<DocumentDetail>(`/documents/${id}`, signal),
  });

/** As its pages show it. One that was restricted while somebody looks at it is gone for those who may not see it. */
export function useDocument(id: string) {
  const { data, error } = useQuery(documentQuery(id));
  const isGone = error instanceof ApiFailure && error.status === 404;
  return { document: isGone ? undefined : data, error };
}

/**
 * After a change, whose answer is the document as it is now: what was there before is not shown again while all documents
 * are read anew, or it could be sent, and be refused as changed meanwhile.
 */
export function showChanged(queryClient: QueryClient, changed: DocumentDetail): Promise<void> {
  queryClient.setQueryData(documentQuery(changed.id).queryKey, changed);
  return queryClient.invalidateQueries({ queryKey: ['documents'] });
}
