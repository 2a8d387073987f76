import { getRouteApi, Navigate } from '@tanstack/react-router';
import { FailedPage } from '../shell/notice-pages.tsx';
import { BackLink, useListSearch } from '../ui/back-link.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { StatusBadge, TestBadge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { detailText } from './detail-texts.ts';
import { DocumentActions } from './document-actions.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentNotes } from './document-notes.tsx';
import { useDocument } from './document-query.ts';
import { FolderLink } from './folder-link.tsx';
import { LazyComments, LazyUnlockCard } from './lazy-parts.ts';
import { Mirrors } from './mirrors.tsx';
import { Preview } from './preview.tsx';
import { Recipients } from './recipients.tsx';
import { Timeline } from './timeline.tsx';
import { typeNames } from './type-names.ts';

const route = getRouteApi('/documents/$id');

export function DocumentPage() {
  const { id } = route.useParams();
  const { refused } = route.useSearch();
  const list = useListSearch();
  const { document, error } = useDocument(id);
  if (document === undefined)
    return error === null ? <p className="text-soft">{uiText.loading}</p> : <FailedPage error={error} />;
  if (document.is_template) return <Navigate to="/templates/$id" params={{ id }} search={{}} replace />;
  const { title, status, type, is_test } = document;
  return (
    <article>
      <BackLink to="/documents" search={list}>
        {detailText.back}
      </BackLink>
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <PageTitle>{title}</PageTitle>
          <p className="mt-2 flex flex-wrap items-center gap-2 text-soft">
            <StatusBadge status={status} /> {is_test && <TestBadge />} {typeNames[type]}
            <FolderLink document={document} />
          </p>
        </div>
        <DocumentActions key={id} document={document} />
      </div>
      <DocumentNotes document={document} refused={refused} />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-8 lg:order-2">
          <Recipients document={document} />
          {document.has_comments && <LazyComments id={id} />}
          {document.file !== null && <LazyUnlockCard id={id} isReadOnly={document.is_read_only} />}
          <DocumentFacts document={document} />
          <Mirrors document={document} />
          <Timeline document={document} />
        </div>
        <Preview document={document} />
      </div>
    </article>
  );
}
