import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { historyText } from '../../documents/history-texts.ts';
import { fill, formatMoment, formatNumber } from '../../language.ts';
import { FailedPage } from '../../shell/notice-pages.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { uiText } from '../../ui/texts.ts';
import { LinkActions } from './link-actions.tsx';
import { LinkDocuments } from './link-documents.tsx';
import { LinkStatus } from './link-status.tsx';
import { linkText } from './link-texts.ts';
import type { PublicLinkView } from './types.ts';

const route = getRouteApi('/templates/$id/links/$link');

/** One public link: its address, its settings, and the documents that were made from it. */
export function LinkPage() {
  const { id, link } = route.useParams();
  const { data, error } = useQuery({
    queryKey: ['documents', 'public-links', id, link],
    queryFn: ({ signal }) => api.get('/templates/:id/links/:link', { params: { id, link }, signal }),
  });
  if (error !== null && data === undefined) return <FailedPage error={error} />;
  if (data === undefined) return <p className="text-soft">{uiText.loading}</p>;
  const { name, template, obstacle, url } = data;
  return (
    <article>
      <BackLink to="/templates/$id/links" params={{ id }}>
        {linkText.title}
      </BackLink>
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80 wrap-anywhere">
          <PageTitle of={linkText.title}>{name ?? template.title}</PageTitle>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
            <LinkStatus of={data} />
            <bdi>{template.title}</bdi>
          </p>
        </div>
        <LinkActions link={data} />
      </div>
      {obstacle !== null && (
        <p role="status" className="mt-4 rounded-lg bg-warn-wash px-3.5 py-2.5 font-medium text-warn">
          {fill(linkText.obstacle, { why: linkText.obstacles[obstacle] })}
        </p>
      )}
      <div className="mt-6 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-labelledby="address">
          <h2 id="address" className="mb-2 text-xl">
            {linkText.address}
          </h2>
          <CodeBlock code={url} name={linkText.address} />
          <p className="mt-2 text-sm text-soft">{linkText.addressHint}</p>
          <p className="mt-1">
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-9 items-center font-medium text-accent underline max-lg:min-h-11"
            >
              {linkText.openPage}
            </a>
          </p>
        </section>
        <Facts link={data} />
      </div>
      <LinkDocuments key={link} link={data} />
    </article>
  );
}

function Facts({ link }: { link: PublicLinkView }) {
  const { documents, documents_max, ends_at, one_per_email, language, acts_for } = link;
  const { facts } = linkText;
  return (
    <section aria-labelledby="settings">
      <h2 id="settings" className="mb-2 text-xl">
        {linkText.settings}
      </h2>
      <dl className="grid gap-1.5 text-sm">
        <Fact name={facts.documents}>
          {fill(linkText.used, { used: formatNumber(documents), max: formatNumber(documents_max) })}
        </Fact>
        <Fact name={facts.left}>{formatNumber(Math.max(0, documents_max - documents))}</Fact>
        <Fact name={facts.ends}>
          {ends_at === null ? facts.never : <time dateTime={ends_at}>{formatMoment(ends_at)}</time>}
        </Fact>
        <Fact name={facts.onePerEmail}>{one_per_email ? facts.yes : facts.no}</Fact>
        <Fact name={facts.language}>{linkText.languages[language]}</Fact>
        <Fact name={facts.actsFor}>
          <bdi className="break-all">{acts_for.name ?? historyText.actors[acts_for.kind]}</bdi>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="max-w-3/5 shrink-0 text-soft">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}
