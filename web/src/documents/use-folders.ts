import { queryOptions, useQuery } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';

export type Folder = AnswerOf<'GET', '/folders'>['data'][number];

export const foldersKey = ['folders'];

/** The folders that the person sees, by name. */
export const foldersQuery = queryOptions({
  queryKey: foldersKey,
  queryFn: ({ signal }) => api.get('/folders', { signal }),
  staleTime: 30_000,
});

/** The folders that the person sees. Undefined while they are read, and if that failed. */
export function useFolders(): readonly Folder[] | undefined {
  return useQuery(foldersQuery).data?.data;
}
