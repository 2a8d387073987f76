import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { DocumentDetail, FieldView } from './types.ts';

/**
 * A document and its fields as they are when somebody begins to change them. Not among the documents, which are read anew
 * while one writes; and each page (`purpose`) reads them for itself.
 */
export function useToChange(purpose: 'edit' | 'fields' | 'use', id: string) {
  return useQuery({
    queryKey: [purpose, id],
    queryFn: async ({ signal }) => {
      // In this order: fields that are newer than the document's version are refused when they are saved, not lost.
      const document = await api.get<DocumentDetail>(`/documents/${id}`, signal);
      const fields = await api.get<{ data: FieldView[] }>(`/documents/${id}/fields`, signal);
      return { document, fields: fields.data };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
