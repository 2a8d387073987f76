import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { DocumentForm } from '../documents/document-form.tsx';
import { recipientsFromTemplate } from '../documents/new-recipient.ts';
import type { DocumentDetail, FieldView } from '../documents/types.ts';
import { useEditing } from '../documents/use-editing.ts';
import { count, fill } from '../language.ts';
import { FailedPage, NotFoundPage } from '../shell/notice-pages.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { uiText } from '../ui/texts.ts';
import { templatesText } from './texts.ts';

const route = getRouteApi('/templates/$id/use');

/** The page to create a draft from a template. The content is filled in, and the user names the recipients. */
export function UseTemplatePage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useEditing('use', id);
  if (error !== null && data === undefined) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  const { document: template, fields } = data;
  if (!template.is_template || template.status === 'voided') return <NotFoundPage />;
  if (template.is_read_only) return <NotUsable template={template} />;
  return <Filler template={template} fields={fields} onReload={refetch} />;
}

function NotUsable({ template: { id, title } }: { template: DocumentDetail }) {
  return (
    <div className="mx-auto grid max-w-3xl gap-3">
      <PageTitle of={title}>{templatesText.useTitle}</PageTitle>
      <p>{templatesText.notUsable}</p>
      <p>
        <Link to="/templates/$id" params={{ id }} search={{}} className="font-semibold text-accent underline">
          {templatesText.open}
        </Link>
      </p>
    </div>
  );
}

interface FillerProps {
  template: DocumentDetail;
  fields: FieldView[];
  onReload: () => Promise<unknown>;
}

function Filler({ template, fields, onReload }: FillerProps) {
  const { id, version } = template;
  const isSaved = useRef(false);
  const named = useRequestIds();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: object) => api.post('/templates/:id/use', { params: { id }, body: named({ ...body, version }) }),
    // The form takes over the changes, and the next try is of this version.
    onError: (failure) => (failure instanceof ApiFailure && failure.code === 'changed_meanwhile' ? onReload() : null),
    onSuccess: async (draft) => {
      isSaved.current = true;
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
      await navigate({ to: '/documents/$id', params: { id: draft.id }, search: {} });
    },
  });
  return (
    <div className="mx-auto max-w-3xl">
      <PageTitle of={template.title}>{templatesText.useTitle}</PageTitle>
      <DocumentForm
        beginning={template}
        recipients={recipientsFromTemplate(template.recipients)}
        version={version}
        fields={fields}
        addsDefaultLists
        mayBeEmpty
        file={<TemplateFile template={template} fields={fields.length} />}
        action={templatesText.use}
        hint={templatesText.useHint}
        isBusy={isPending}
        error={error}
        failures={templatesText.failures.use}
        isSaved={isSaved}
        onSubmit={mutate}
      />
    </div>
  );
}

function TemplateFile({ template: { file }, fields }: { template: DocumentDetail; fields: number }) {
  if (file === null) return null;
  const { pages, fields: counted, fileHint } = templatesText;
  return (
    <div>
      <p className="text-sm font-semibold">{templatesText.file}</p>
      <p>
        <bdi>{file.name}</bdi>
      </p>
      <p className="text-sm text-soft">
        {fill(fileHint, { pages: count(file.pages.length, pages), fields: count(fields, counted) })}
      </p>
    </div>
  );
}
