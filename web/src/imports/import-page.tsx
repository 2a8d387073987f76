import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { fill, formatMoment } from '../language.ts';
import { FailedPage } from '../shell/notice-pages.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { uiText } from '../ui/texts.ts';
import { connectionsQuery } from './connections.ts';
import { ImportStatus, starterName } from './import-words.tsx';
import { itemText } from './item-texts.ts';
import { Items } from './items.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { renewMs } from './renew.ts';
import { importsText } from './texts.ts';
import { UploadPanel } from './upload/upload-panel.tsx';
import { isSending } from './upload/uploads.ts';

const route = getRouteApi('/imports/$id');

/** One import: its progress and the outcome of each file. Refreshes while the import runs. */
export function ImportPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const { data: shown, error } = useQuery({
    queryKey: ['imports', 'detail', id],
    queryFn: ({ signal }) => api.get('/imports/:id', { params: { id }, signal }),
    refetchInterval: ({ state }) => renewMs([], state.data?.status === 'running' || isSending(id)),
  });
  if (error !== null && shown === undefined) return <FailedPage error={error} />;
  if (shown === undefined) return <p className="text-soft">{uiText.loading}</p>;
  const source = importsText.sources[shown.source];
  const isRunning = shown.status === 'running';
  return (
    <article>
      <BackLink to="/imports">{itemText.back}</BackLink>
      <PageTitle of={formatMoment(shown.created_at)} className="mt-1">
        {source}
      </PageTitle>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
        <ImportStatus of={shown} />
        <span>{fill(itemText.started, { when: formatMoment(shown.created_at) })}</span>
        <bdi className="break-all">{starterName(shown.started_by)}</bdi>
      </p>
      {isRunning && shown.source === 'esign_vendor' && <Paused />}
      <div className="mt-5 max-w-xl">
        <ProgressBar of={shown} name={importsText.progress} />
      </div>
      <UploadPanel importId={id} />
      <Items key={id} of={shown} search={search} />
    </article>
  );
}

/** Shown for a running vendor import while its connection needs to be renewed. */
function Paused() {
  const { data } = useQuery({ ...connectionsQuery, refetchInterval: connectionsMs });
  if (data?.data[0]?.status !== 'reconnect_needed') return null;
  return (
    <div role="status" className="mt-4 rounded-lg bg-warn-wash px-3.5 py-2.5 text-warn">
      <p className="font-semibold">{itemText.pausedTitle}</p>
      <p>{itemText.pausedText}</p>
      <Link to="/settings/connections" className="font-semibold underline">
        {itemText.reconnect}
      </Link>
    </div>
  );
}

const connectionsMs = 5000;
