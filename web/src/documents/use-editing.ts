import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { keptWhileEdited } from '../api/read-again.ts';

/**
 * Reads a document and its fields for editing. The key is not below `documents`, so live updates do not refresh it. Each
 * page (`purpose`) has its own copy.
 */
export function useEditing(purpose: 'edit' | 'fields' | 'use', id: string) {
  return useQuery({
    queryKey: [purpose, id],
    queryFn: async ({ signal }) => {
      // The document first: if fields are newer than its version, saving is refused and nothing is lost.
      const document = await api.get('/documents/:id', { params: { id }, signal });
      const fields = await api.get('/documents/:id/fields', { params: { id }, signal });
      return { document, fields: fields.data };
    },
    meta: keptWhileEdited,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
