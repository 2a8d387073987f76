import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';

export type Folder = AnswerOf<'GET', '/folders'>['data'][number];

export const foldersKey = ['folders'];

/** The folders that the person sees, by name. Undefined while they are read. */
export function useFolders(): readonly Folder[] | undefined {
  const { data } = useQuery({
    queryKey: foldersKey,
    queryFn: ({ signal }) => api.get('/folders', { signal }),
    staleTime: 30_000,
  });
  return data?.data;
}
