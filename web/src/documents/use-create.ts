import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { keepFiles } from './chosen-files.ts';
import { refusalOf, uploadFile } from './upload-file.ts';
import { useFolders } from './use-folders.ts';

/** Creates a document or a template in a folder, attaches its PDF and opens it, also if the PDF is refused. Several are added there. */
export function useCreate(what: 'documents' | 'templates', inFolder: string | undefined) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [folder, setFolder] = useState(inFolder ?? '');
  /** True once it is created, so that leaving the page loses nothing. */
  const isSaved = useRef(false);
  const folders = useFolders();
  // While the folders are unknown, the server decides: a document must never be shown to more people than was asked for.
  const isOffered = folders === undefined || folders.some(({ id, can_edit }) => id === folder && can_edit);
  const isInFolder = folder !== '' && isOffered;
  const navigate = useNavigate();
  const named = useRequestIds();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: object) => {
      const { id } = await api.post(`/${what}`, { body: named(isInFolder ? { ...body, folder } : body) });
      const [file, ...others] = files;
      if (others.length > 0) keepFiles(id, files);
      const isAlone = file !== undefined && others.length === 0;
      const refused = !isAlone ? null : await uploadFile(id, file).then(() => null, refusalOf);
      return { id, refused };
    },
    onSuccess: async ({ id, refused }) => {
      isSaved.current = true;
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
      await navigate({ to: `/${what}/$id`, params: { id }, search: refused === null ? {} : { refused } });
    },
  });
  const hasMore = files.length > 0 || folder !== (inFolder ?? '');
  return { files, setFiles, folder, setFolder, hasMore, isSaved, create: mutate, isBusy: isPending, error };
}
