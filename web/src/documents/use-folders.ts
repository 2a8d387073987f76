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

/** Whether an address may name this folder: an id, or `none` for documents in no folder. */
export function isFolder(text: string): boolean {
  return text === 'none' || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

/** Reads the folder of an address, and ignores what is malformed. */
export function readFolderSearch({ folder }: Record<string, unknown>): { folder?: string } {
  return typeof folder === 'string' && isFolder(folder) ? { folder } : {};
}
