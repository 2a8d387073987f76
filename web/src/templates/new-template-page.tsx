import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { attachFile, refusalOf } from '../documents/attach-button.tsx';
import { DocumentForm } from '../documents/document-form.tsx';
import { FileChoice } from '../documents/file-choice.tsx';
import { emptyParty } from '../documents/new-party.ts';
import { templatesText } from './texts.ts';

export function NewTemplatePage() {
  const [parties] = useState(() => [emptyParty()]);
  const [file, setFile] = useState<File | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: object) => {
      const { id } = await api.post<{ id: string }>('/templates', body);
      const refused = file === null ? null : await attachFile(id, file).then(() => null, refusalOf);
      return { id, refused };
    },
    onSuccess: async ({ id, refused }) => {
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
      await navigate({ to: '/templates/$id', params: { id }, search: refused === null ? {} : { refused } });
    },
  });
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl sm:text-3xl">{templatesText.new}</h1>
      <DocumentForm
        parties={parties}
        isTemplate
        mayBeEmpty
        file={<FileChoice file={file} onChoose={setFile} />}
        action={templatesText.create}
        hint={templatesText.createHint}
        isBusy={isPending}
        error={error}
        onSubmit={mutate}
      />
    </div>
  );
}
