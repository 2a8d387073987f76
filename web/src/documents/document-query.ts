import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { DocumentDetail } from './types.ts';

/** A document as its pages show it. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'detail', id],
    queryFn: ({ signal }) => api.get<DocumentDetail>(`/documents/${id}`, signal),
  });

/**
 * After a change, whose answer is the document as it is now: what was there before is not shown again while all documents
 * are read anew, or it could be sent, and be refused as changed meanwhile.
 */
export function showChanged(queryClient: QueryClient, changed: DocumentDetail): Promise<void> {
  queryClient.setQueryData(documentQuery(changed.id).queryKey, changed);
  return queryClient.invalidateQueries({ queryKey: ['documents'] });
}
