import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { count, fill, formatMoment } from '../../language.ts';
import { FailedPage } from '../../shell/notice-pages.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { uiText } from '../../ui/texts.ts';
import { BulkActions } from './bulk-actions.tsx';
import { BulkProgress, BulkStatus, problemsOf } from './bulk-progress.tsx';
import { BulkRows } from './bulk-rows.tsx';
import { bulkText } from './bulk-texts.ts';
import type { BulkSendDetail } from './types.ts';

const route = getRouteApi('/templates/$id/bulk/$bulk');

/** How often the page asks for the progress of a running bulk send. */
const renewMs = 1000;

/** One file of a bulk send: what is in it, and while it is sent, its progress. */
export function BulkSendPage() {
  const { id, bulk } = route.useParams();
  const search = route.useSearch();
  const { data, error } = useQuery({
    queryKey: ['documents', 'bulk-sends', id, bulk],
    queryFn: ({ signal }) => api.get('/templates/:id/bulk-sends/:bulk', { params: { id, bulk }, signal }),
    refetchInterval: ({ state }) => state.data?.status === 'running' && renewMs,
  });
  if (error !== null && data === undefined) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  const { file_name, template, created_at, status, waits_for } = data;
  return (
    <article>
      <BackLink to="/templates/$id/bulk" params={{ id }}>
        {bulkText.title}
      </BackLink>
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80 break-words">
          <PageTitle of={template.title}>{file_name}</PageTitle>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
            <BulkStatus of={data} />
            <bdi>{template.title}</bdi>
            <span>{fill(bulkText.uploaded, { when: formatMoment(created_at) })}</span>
          </p>
        </div>
        <BulkActions templateId={id} bulkSend={data} />
      </div>
      {status === 'checked' ? <Findings bulkSend={data} /> : <BulkProgress of={data} />}
      {waits_for !== null && <p className="mt-1.5 text-sm text-soft">{bulkText.waits[waits_for]}</p>}
      {status === 'stopped' && data.stop_reason !== null && <Warning>{bulkText.stopped[data.stop_reason]}</Warning>}
      {hasUnsent(data) && (
        <DownloadLink path={`/templates/${id}/bulk-sends/${bulk}/unsent`} className={buttonClass('plain', 'mt-5')}>
          <Icon name="download" size={16} />
          {bulkText.unsent}
        </DownloadLink>
      )}
      <BulkRows key={bulk} templateId={id} bulkSend={data} show={search.show} />
    </article>
  );
}

/** What was found in a file that is not sent yet. */
function Findings({ bulkSend: { rows, is_outdated } }: { bulkSend: BulkSendDetail }) {
  const problems = problemsOf(rows);
  return (
    <>
      <div className="mt-5 grid gap-1">
        <p className="font-semibold">{count(rows.ready, bulkText.ready)}</p>
        {problems > 0 && <p>{count(problems, bulkText.problems)}</p>}
        {rows.duplicates > 0 && <p>{count(rows.duplicates, bulkText.duplicates)}</p>}
      </div>
      {is_outdated && <Warning>{bulkText.outdated}</Warning>}
    </>
  );
}

function Warning({ children }: { children: string }) {
  return (
    <p role="status" className="mt-4 rounded-lg bg-warn-wash px-3.5 py-2.5 font-medium text-warn">
      {children}
    </p>
  );
}

function hasUnsent({ status, rows }: BulkSendDetail): boolean {
  const isOver = status === 'cancelled' || status === 'stopped';
  return problemsOf(rows) > 0 || (isOver && rows.ready > 0);
}
