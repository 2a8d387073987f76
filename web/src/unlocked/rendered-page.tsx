import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { showChanged } from '../documents/document-query.ts';
import { fill } from '../language.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { PagePicture } from '../ui/page-picture.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { renderedText } from './rendered-texts.ts';
import type { TextView } from './types.ts';

const route = getRouteApi('/documents/$id/unlocked/pdf');

/** The PDF created from the current text: preview, download and use. */
export function RenderedPage() {
  const { id } = route.useParams();
  const { data: view, error } = useQuery({
    queryKey: ['unlocked', id, 'pdf'],
    queryFn: async ({ signal }) => {
      // Creating it may take longer than one answer. Repeated requests wait for the same PDF.
      for (let isMade = false; !isMade && !signal.aborted; ) {
        isMade = (await api.post('/documents/:id/unlocked/rendered', { params: { id } })).version !== null;
      }
      return api.get('/documents/:id/unlocked', { params: { id }, signal });
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  return (
    <article>
      <BackLink to="/documents/$id/unlocked" params={{ id }}>
        {renderedText.back}
      </BackLink>
      <PageTitle of={view?.title} className="mt-1">
        {renderedText.title}
      </PageTitle>
      <Problem of={error} failures={renderedText.failures} className="mt-4" />
      {view === undefined && error === null && (
        <p role="status" className="mt-3 text-soft">
          {renderedText.making}
        </p>
      )}
      {view !== undefined && <Made id={id} view={view} />}
    </article>
  );
}

type Asked = 'use' | 'draft';

function Made({ id, view: { title, status, rendered } }: { id: string; view: TextView }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const named = useRequestIds();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  if (rendered === null) return null;
  const isUnsent = status === 'draft' || status === 'in_review';
  const options = { params: { id }, body: { version: rendered.version } };
  const goTo = (document: string) => navigate({ to: '/documents/$id', params: { id: document }, search: {} });
  const use = async () => {
    await showChanged(queryClient, await api.post('/documents/:id/unlocked/rendered/use', options));
    await goTo(id);
  };
  const makeDraft = async () => {
    const made = await api.post('/documents/:id/unlocked/rendered/draft', { ...options, body: named(options.body) });
    await queryClient.invalidateQueries({ queryKey: ['documents'] });
    await goTo(made.id);
  };
  const dialog = { failures: renderedText.failures, onClose: () => setAsked(null) };
  return (
    <>
      <p className="mt-1 text-soft">
        <bdi>{title}</bdi>
      </p>
      <p className="mt-2 max-w-2xl">{renderedText.how}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <DownloadLink path={`/documents/${id}/unlocked/rendered/pdf`} className={buttonClass('primary')}>
          <Icon name="download" size={16} />
          {renderedText.download}
        </DownloadLink>
        {isUnsent && <Button onClick={() => setAsked('use')}>{renderedText.use}</Button>}
        <Button onClick={() => setAsked('draft')}>{renderedText.draft}</Button>
      </div>
      <ol className="mt-5 grid max-w-3xl gap-5">
        {(rendered.pages ?? []).map(([width, height], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages are identified by number
          <li key={index}>
            <PagePicture
              // A new version has new pictures.
              source={`/console/api/documents/${id}/unlocked/rendered/pages/${index + 1}?version=${rendered.version}`}
              widths={[600, 1200, 1800]}
              sizes="(min-width: 64rem) 48rem, 100vw"
              width={width}
              height={height}
              name={fill(renderedText.page, { n: index + 1, all: rendered.pages?.length ?? 0 })}
              isLazy
            />
          </li>
        ))}
      </ol>
      {asked === 'use' && (
        <ConfirmDialog title={renderedText.useTitle} action={renderedText.use} isDangerous onConfirm={use} {...dialog}>
          <p>{renderedText.useText}</p>
          <p className="font-semibold">{renderedText.useFields}</p>
          <p className="text-soft">{renderedText.useKept}</p>
        </ConfirmDialog>
      )}
      {asked === 'draft' && (
        <ConfirmDialog
          title={renderedText.draftTitle}
          action={renderedText.makeDraft}
          onConfirm={makeDraft}
          {...dialog}
        >
          <p>{renderedText.draftText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
