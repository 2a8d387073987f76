import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { attachFile, refusalOf } from './attach-button.tsx';
import { DocumentForm } from './document-form.tsx';
import { FileChoice } from './file-choice.tsx';
import { emptyParty } from './new-party.ts';
import { newText } from './new-texts.ts';

/** A draft from title, parties and a PDF; what comes then (fields, sending) happens on its own page. */
export function NewDocumentPage() {
  const [parties] = useState(() => [emptyParty()]);
  const [file, setFile] = useState<File | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: object) => {
      const { id } = await api.post<{ id: string }>('/documents', body);
      const refused = file === null ? null : await attachFile(id, file).then(() => null, refusalOf);
      return { id, refused };
    },
    onSuccess: async ({ id, refused }) => {
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
      await navigate({ to: '/documents/$id', params: { id }, search: refused === null ? {} : { refused } });
    },
  });
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl sm:text-3xl">{newText.title}</h1>
      <p className="mt-2 text-soft">
        {newText.often}{' '}
        <Link to="/templates" search={{}} className="text-accent underline">
          {newText.fromTemplate}
        </Link>
        .
      </p>
      <DocumentForm
        parties={parties}
        file={<FileChoice file={file} onChoose={setFile} />}
        action={newText.create}
        hint={newText.draftHint}
        isBusy={isPending}
        error={error}
        onSubmit={mutate}
      />
    </div>
  );
}
