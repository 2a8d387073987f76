import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { attachFile, refusalOf } from './attach-button.tsx';

/** Creates a document or a template, attaches its PDF and opens it, also if the PDF is refused. */
export function useCreate(what: 'documents' | 'templates') {
  const [file, setFile] = useState<File | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: object) => {
      const { id } = await api.post(`/${what}`, { body });
      const refused = file === null ? null : await attachFile(id, file).then(() => null, refusalOf);
      return { id, refused };
    },
    onSuccess: async ({ id, refused }) => {
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
      await navigate({ to: `/${what}/$id`, params: { id }, search: refused === null ? {} : { refused } });
    },
  });
  return { file, setFile, create: mutate, isBusy: isPending, error };
}
