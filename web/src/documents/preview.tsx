import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { fill } from '../language.ts';
import { PagePicture } from '../ui/page-picture.tsx';
import { uiText } from '../ui/texts.ts';
import { detailText } from './detail-texts.ts';
import type { DocumentDetail, FileView } from './types.ts';

/** The signed PDF once it is sealed. Before that, what the recipients sign: the pages of the PDF, or the message without one. */
export function Preview({ document }: { document: DocumentDetail }) {
  const { id, file, is_sealed } = document;
  const { data: sealed, isPending } = useQuery({
    queryKey: ['sealed pages', id],
    queryFn: ({ signal }) => api.get('/documents/:id/sealed', { params: { id }, signal }),
    enabled: is_sealed,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section aria-labelledby="preview" className="min-w-0">
      <h2 id="preview" className="text-xl">
        {sealed === undefined ? detailText.preview : detailText.signedPreview}
      </h2>
      <Contents document={document} sealed={sealed} isPending={is_sealed && isPending} file={file} />
    </section>
  );
}

interface ContentsProps {
  document: DocumentDetail;
  sealed: AnswerOf<'GET', '/documents/:id/sealed'> | undefined;
  isPending: boolean;
  file: FileView | null;
}

/** If the signed PDF cannot be shown, the file that was sent is. */
function Contents({ document, sealed, isPending, file }: ContentsProps) {
  const { id } = document;
  if (isPending) return <p className="mt-3 text-soft">{uiText.loading}</p>;
  if (sealed !== undefined) return <Pages id={id} file={sealed} isSealed />;
  return (
    <>
      {document.is_sealing && (
        <p role="status" className="mt-1 text-sm text-soft">
          {detailText.sealing}
        </p>
      )}
      {file === null ? <MessagePage document={document} /> : <Pages id={id} file={file} name={file.name} />}
    </>
  );
}

function MessagePage({ document: { title, message } }: { document: DocumentDetail }) {
  return (
    <div className="mt-3 rounded-xl border border-rule bg-raised p-5 sm:p-8">
      <p className="font-serif text-xl font-semibold">
        <bdi>{title}</bdi>
      </p>
      {message !== null && (
        <>
          <h3 className="mt-4 text-sm font-semibold text-soft">{detailText.message}</h3>
          <p className="mt-1 whitespace-pre-line">
            <bdi>{message}</bdi>
          </p>
        </>
      )}
      <p className="mt-5 border-t border-rule pt-4 text-sm text-soft">{detailText.noFile}</p>
    </div>
  );
}

interface PagesProps {
  id: string;
  file: Pick<FileView, 'sha256' | 'pages'>;
  name?: string;
  isSealed?: boolean;
}

function Pages({ id, file, name, isSealed = false }: PagesProps) {
  return (
    <>
      <p className="mt-1 text-sm text-soft">{isSealed ? detailText.signedHow : <bdi>{name}</bdi>}</p>
      <ol className="mt-3 grid gap-5">
        {file.pages.map(([width, height], index) => (
          <PreviewPage
            // biome-ignore lint/suspicious/noArrayIndexKey: pages are identified by file and number
            key={`${file.sha256} ${index}`}
            id={id}
            isSealed={isSealed}
            file={file.sha256}
            page={index + 1}
            all={file.pages.length}
            width={width}
            height={height}
          />
        ))}
      </ol>
    </>
  );
}

interface PreviewPageProps {
  id: string;
  isSealed: boolean;
  /** The file that the page belongs to. */
  file: string;
  page: number;
  all: number;
  width: number;
  height: number;
}

function PreviewPage({ id, isSealed, file, page, all, width, height }: PreviewPageProps) {
  const name = fill(detailText.page, { n: page, all });
  return (
    <li>
      <PagePicture
        source={`/console/api/documents/${id}/${isSealed ? 'sealed/' : ''}pages/${page}?file=${file}`}
        widths={[600, 1200, 1800]}
        sizes="(min-width: 64rem) 45rem, 100vw"
        width={width}
        height={height}
        name={name}
        isLazy
      />
      <PageText id={id} isSealed={isSealed} file={file} page={page} name={name} />
    </li>
  );
}

/** Loads the text only when opened. */
function PageText({
  id,
  isSealed,
  file,
  page,
  name,
}: Omit<PreviewPageProps, 'all' | 'width' | 'height'> & { name: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['page text', id, page, file],
    queryFn: ({ signal }) => {
      const path = isSealed ? '/documents/:id/sealed/pages/:page/text' : '/documents/:id/pages/:page/text';
      return api.get(path, { params: { id, page }, signal });
    },
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <details className="mt-1 text-sm text-soft" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name} · {fill(detailText.readPage, { n: page })}
      </summary>
      <p className="mt-2 whitespace-pre-line text-ink">{data === undefined ? uiText.loading : data.text}</p>
    </details>
  );
}
