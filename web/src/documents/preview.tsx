import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { fill } from '../language.ts';
import { PagePicture } from '../ui/page-picture.tsx';
import { uiText } from '../ui/texts.ts';
import { detailText } from './detail-texts.ts';
import type { DocumentDetail, FileView } from './types.ts';

/** What the recipients sign: the pages of the PDF, or the message and names without one. */
export function Preview({ document }: { document: DocumentDetail }) {
  const { file } = document;
  return (
    <section aria-labelledby="preview" className="min-w-0">
      <h2 id="preview" className="text-xl">
        {detailText.preview}
      </h2>
      {file === null ? <MessagePage document={document} /> : <Pages id={document.id} file={file} />}
    </section>
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

function Pages({ id, file }: { id: string; file: FileView }) {
  return (
    <>
      <p className="mt-1 text-sm text-soft">
        <bdi>{file.name}</bdi>
      </p>
      <ol className="mt-3 grid gap-5">
        {file.pages.map(([width, height], index) => (
          <PreviewPage
            // biome-ignore lint/suspicious/noArrayIndexKey: pages are identified by file and number
            key={`${file.sha256} ${index}`}
            id={id}
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
  /** The file that the page belongs to. */
  file: string;
  page: number;
  all: number;
  width: number;
  height: number;
}

function PreviewPage({ id, file, page, all, width, height }: PreviewPageProps) {
  const name = fill(detailText.page, { n: page, all });
  return (
    <li>
      <PagePicture
        source={`/console/api/documents/${id}/pages/${page}?file=${file}`}
        widths={[600, 1200, 1800]}
        sizes="(min-width: 64rem) 45rem, 100vw"
        width={width}
        height={height}
        name={name}
        isLazy
      />
      <PageText id={id} file={file} page={page} name={name} />
    </li>
  );
}

/** Loads the text only when opened. */
function PageText({ id, file, page, name }: { id: string; file: string; page: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['page text', id, page, file],
    queryFn: ({ signal }) => api.get('/documents/:id/pages/:page/text', { params: { id, page }, signal }),
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
