import { useEffect, useRef, useState } from 'react';
import { count, fill } from '../language.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { folderText } from './folder-texts.ts';
import { MoveDialog } from './lazy-move-dialog.ts';
import { type ManyAction, ManyDialog } from './many-dialog.tsx';
import { documentsText } from './texts.ts';
import type { DocumentSummary } from './types.ts';
import { useFolders } from './use-folders.ts';
import { type Selection, selectedMax } from './use-selection.ts';

/** Selects the page, and acts on the selected documents. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const { selected, isPageSelected, togglePage, clear } = selection;
  const [isMoving, setMoving] = useState(false);
  const hasFolders = (useFolders() ?? []).length > 0;
  const [asked, setAsked] = useState<{ action: ManyAction; documents: DocumentSummary[] } | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const isSome = selected.size > 0;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome && !isPageSelected;
  });
  const documents = [...selected.values()];
  const ask = (action: ManyAction) => setAsked({ action, documents });
  return (
    <section
      aria-label={documentsText.selectionBar}
      className={`mt-3 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 ${isSome ? 'border-b border-rule bg-page py-1 sm:sticky sm:top-0 sm:z-2' : ''}`}
    >
      <label className="flex min-h-9 items-center gap-3 text-sm text-soft max-lg:min-h-11">
        <input
          ref={box}
          type="checkbox"
          className="size-4 accent-accent"
          checked={isPageSelected}
          onChange={togglePage}
        />
        {!isSome && documentsText.selectPage}
        {isSome && <span className="sr-only">{documentsText.selectPage}</span>}
      </label>
      <p role="status" className={`text-sm ${isSome ? 'font-semibold' : 'sr-only'}`}>
        {isSome && count(selected.size, documentsText.selected)}
        {selected.size >= selectedMax && ` · ${fill(documentsText.selectedMax, { n: selectedMax })}`}
      </p>
      {isSome && (
        <>
          <Button onClick={() => ask('remind')}>{documentsText.many.remind}</Button>
          {hasFolders && <Button onClick={() => setMoving(true)}>{folderText.move}</Button>}
          <ZipLink documents={documents} />
          <Button kind="danger" onClick={() => ask('void')}>
            {documentsText.many.void}
          </Button>
          <Button kind="quiet" onClick={clear}>
            {documentsText.clearSelection}
          </Button>
          <ZipPart documents={documents} />
        </>
      )}
      {isMoving && <MoveDialog documents={documents} onClose={() => setMoving(false)} onDone={clear} />}
      {asked !== null && <ManyDialog {...asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

/** Downloads the signed PDFs, if any document has one. */
function ZipLink({ documents }: { documents: readonly DocumentSummary[] }) {
  if (!documents.some(isCompleted)) return null;
  const ids = documents.map(({ id }) => id).join(',');
  return (
    <DownloadLink path="/documents/zip" query={{ ids }} className={buttonClass()}>
      <Icon name="download" size={16} />
      {documentsText.downloadZip}
    </DownloadLink>
  );
}

/** Says how many of the documents have a signed PDF, unless all or none have one. */
function ZipPart({ documents }: { documents: readonly DocumentSummary[] }) {
  const { length } = documents.filter(isCompleted);
  if (length === 0 || length === documents.length) return null;
  const part = fill(count(length, documentsText.zipPart), { all: documents.length });
  return <p className="text-sm text-soft">{part}</p>;
}

const isCompleted = ({ status }: DocumentSummary) => status === 'completed';
