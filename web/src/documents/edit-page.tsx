import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { FailedPage } from '../shell/notice-pages.tsx';
import { Button } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { uiText } from '../ui/texts.ts';
import { DocumentForm } from './document-form.tsx';
import { showChanged } from './document-query.ts';
import { editableRecipients } from './new-recipient.ts';
import { newText } from './new-texts.ts';
import type { DocumentDetail, FieldView } from './types.ts';
import { useEditing } from './use-editing.ts';

const route = getRouteApi('/documents/$id/edit');

/** The page to edit a draft or a template. */
export function EditPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useEditing('edit', id);
  // If the document cannot be reloaded, the form keeps its input.
  if (error !== null && data === undefined) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  if (!data.document.actions.includes('edit')) return <NotEditable id={id} />;
  return <Editor key={data.document.version} {...data} onReload={() => void refetch()} />;
}

function NotEditable({ id }: { id: string }) {
  return (
    <div className="mx-auto grid max-w-3xl gap-3">
      <PageTitle>{newText.edit.title}</PageTitle>
      <p>{newText.edit.notEditable}</p>
      <p>
        <Link to="/documents/$id" params={{ id }} search={{}} className="font-semibold text-accent underline">
          {newText.edit.open}
        </Link>
      </p>
    </div>
  );
}

interface EditorProps {
  document: DocumentDetail;
  fields: FieldView[];
  onReload: () => void;
}

function Editor({ document, fields, onReload }: EditorProps) {
  const { id, version, is_template: isTemplate } = document;
  const isSaved = useRef(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const withRequestId = useRequestIds();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: object) =>
      api.post('/documents/:id', { params: { id }, body: withRequestId({ ...body, version }) }),
    onSuccess: async (saved) => {
      isSaved.current = true;
      await showChanged(queryClient, saved);
      await navigate({ to: '/documents/$id', params: { id }, search: {} });
    },
  });
  const wasChanged = error instanceof ApiFailure && error.code === 'changed_meanwhile';
  return (
    <div className="mx-auto max-w-3xl">
      <PageTitle of={document.title}>{isTemplate ? newText.edit.titleOfTemplate : newText.edit.title}</PageTitle>
      <DocumentForm
        beginning={document}
        recipients={editableRecipients(document.recipients)}
        fields={fields}
        isTemplate={isTemplate}
        mayBeEmpty
        action={newText.edit.save}
        hint={newText.edit.hint}
        isBusy={isPending}
        error={error}
        failures={newText.edit.failures}
        isSaved={isSaved}
        onSubmit={mutate}
      />
      {wasChanged && (
        <Button className="mt-4" onClick={onReload}>
          {newText.edit.reload}
        </Button>
      )}
    </div>
  );
}
