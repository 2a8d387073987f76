import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { isAtLeast, useMe } from '../api/me.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { actionText } from '../documents/action-texts.ts';
import { AttachButton } from '../documents/attach-button.tsx';
import { DocumentFacts } from '../documents/document-facts.tsx';
import { DocumentNotes } from '../documents/document-notes.tsx';
import { useDocument } from '../documents/document-query.ts';
import { useFileChanges } from '../documents/file-changes.ts';
import { FolderLink } from '../documents/folder-link.tsx';
import { folderText } from '../documents/folder-texts.ts';
import { LiftDialog } from '../documents/lazy-dialogs.ts';
import { MoveDialog } from '../documents/lazy-move-dialog.ts';
import { Preview } from '../documents/preview.tsx';
import { reviewText } from '../documents/review-texts.ts';
import { Timeline } from '../documents/timeline.tsx';
import { typeNames } from '../documents/type-names.ts';
import type { DocumentDetail } from '../documents/types.ts';
import { useFolders } from '../documents/use-folders.ts';
import { FailedPage, NotFoundPage } from '../shell/notice-pages.tsx';
import { BackLink, useListSearch } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { TemplateRecipients } from './template-recipients.tsx';
import { templatesText } from './texts.ts';

const route = getRouteApi('/templates/$id');

export function TemplatePage() {
  const { id } = route.useParams();
  const { refused } = route.useSearch();
  const list = useListSearch();
  const { document: template, error } = useDocument(id);
  if (template === undefined)
    return error === null ? <p className="text-soft">{uiText.loading}</p> : <FailedPage error={error} />;
  if (!template.is_template || template.status === 'voided') return <NotFoundPage />;
  const { title, type } = template;
  return (
    <article>
      <BackLink to="/templates" search={list}>
        {templatesText.back}
      </BackLink>
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <PageTitle>{title}</PageTitle>
          <p className="mt-2 flex flex-wrap gap-2 text-soft">
            {typeNames[type]}
            <FolderLink document={template} />
          </p>
        </div>
        <Actions key={id} template={template} />
      </div>
      <DocumentNotes document={template} refused={refused} />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-8 lg:order-2">
          <TemplateRecipients recipients={template.recipients} />
          <DocumentFacts document={template} />
          <Timeline document={template} />
        </div>
        <Preview document={template} />
      </div>
    </article>
  );
}

function Actions({ template }: { template: DocumentDetail }) {
  const { id, file, actions, is_read_only } = template;
  const hasFolders = (useFolders() ?? []).length > 0;
  const { role } = useMe();
  // Nothing is made from a template without a file that is on its way.
  const isUploading = useFileChanges(id).pending > 0;
  const held = { disabled: isUploading, 'aria-busy': isUploading || undefined };
  const [isDeleting, setDeleting] = useState(false);
  const [isLifting, setLifting] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const navigate = useNavigate();
  const named = useRequestIds();
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey: ['documents'] });
  const duplicate = useMutation({
    mutationFn: () => api.post('/documents/:id/template', { params: { id }, body: named({}) }),
    onSuccess: async (copy) => {
      await navigate({ to: '/templates/$id', params: copy, search: {} });
      await renew();
    },
  });
  return (
    <div className="flex flex-wrap gap-2">
      {!is_read_only && (
        <Link to="/templates/$id/use" params={{ id }} className={buttonClass('primary')} {...held}>
          {templatesText.use}
        </Link>
      )}
      <Link to="/templates/$id/bulk" params={{ id }} className={buttonClass()} {...held}>
        {templatesText.sendInBulk}
      </Link>
      <Link to="/templates/$id/links" params={{ id }} className={buttonClass()} {...held}>
        {templatesText.publicLinks}
      </Link>
      {!is_read_only && (
        <Link to="/documents/$id/edit" params={{ id }} className={buttonClass()}>
          {templatesText.edit}
        </Link>
      )}
      <AttachButton document={template} isEditable={!is_read_only} />
      {!is_read_only && file !== null && (
        <Link to="/documents/$id/fields" params={{ id }} className={buttonClass()}>
          {actionText.placeFields}
        </Link>
      )}
      <Link to="/documents/$id/preview" params={{ id }} className={buttonClass()}>
        {actionText.previewAsSigner}
      </Link>
      {!is_read_only && (
        <Button isBusy={duplicate.isPending || isUploading} onClick={() => duplicate.mutate()}>
          {templatesText.duplicate}
        </Button>
      )}
      {actions.includes('move') && hasFolders && <Button onClick={() => setMoving(true)}>{folderText.move}</Button>}
      {actions.includes('lift_restriction') && (
        <Button onClick={() => setLifting(true)}>{reviewText.liftRestriction}</Button>
      )}
      {isAtLeast(role, 'admin') && (
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {templatesText.delete}
        </Button>
      )}
      <Problem of={duplicate.error} className="order-last basis-full" />
      {isMoving && <MoveDialog documents={[template]} isTemplate onClose={() => setMoving(false)} />}
      {isLifting && <LiftDialog document={template} onClose={() => setLifting(false)} onDone={renew} />}
      {isDeleting && (
        <ConfirmDialog
          title={templatesText.deleteTitle}
          action={templatesText.delete}
          isDangerous
          failures={templatesText.failures.delete}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.remove('/templates/:id', { params: { id } });
            await navigate({ to: '/templates', search: {} });
            await renew();
          }}
        >
          <p>{templatesText.deleteText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
