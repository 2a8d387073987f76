import { getRouteApi, Link } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import { count, fill, formatMoment } from '../language.ts';
import { useRowKeys } from '../shell/use-row-keys.ts';
import { isInDialog, isTyping } from '../shell/use-shortcuts.ts';
import { StatusBadge, TestBadge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import type { DocumentSearch } from './document-search.ts';
import { senderName } from './sender-name.ts';
import { documentsText } from './texts.ts';
import { typeNames } from './type-names.ts';
import type { DocumentSummary } from './types.ts';
import type { Selection } from './use-selection.ts';

const route = getRouteApi('/documents');

interface DocumentTableProps {
  documents: readonly DocumentSummary[];
  isStale: boolean;
  selection: Selection;
  /** More columns, comma-separated. */
  columns: string;
}

/** A table, or cards on phones. The keys j and k move through the rows, x selects one. */
export function DocumentTable({ documents, isStale, selection, columns: more }: DocumentTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const { toggle } = selection;
  const search = route.useSearch();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target) || isInDialog()) return;
      const id = document.activeElement?.closest('tr')?.dataset.id;
      if (id !== undefined) toggle(id, event.shiftKey);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [toggle]);
  const { columns } = documentsText;
  return (
    <table className={`mt-2 w-full border-collapse max-sm:block ${isStale ? 'opacity-60' : ''}`}>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          <th scope="col" className="w-9">
            <span className="sr-only">{documentsText.select}</span>
          </th>
          <th scope="col" className="py-2 pr-4 font-medium">
            {columns.title}
          </th>
          <th scope="col" className="py-2 pr-4 font-medium sm:min-w-24 lg:min-w-36">
            {columns.recipients}
          </th>
          {shownColumns(more).map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-medium whitespace-nowrap">
              {documentsText.moreColumns[name]}
            </th>
          ))}
          <th scope="col" className="py-2 pr-4 font-medium">
            {columns.status}
          </th>
          <th scope="col" className="py-2 text-right font-medium whitespace-nowrap">
            {columns.updated}
          </th>
        </tr>
      </thead>
      <tbody ref={body} className="max-sm:block">
        {documents.map((document) => (
          <Row
            key={document.id}
            document={document}
            isSelected={selection.selected.has(document.id)}
            toggle={toggle}
            columns={more}
            search={search}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  document: DocumentSummary;
  isSelected: boolean;
  toggle: Selection['toggle'];
  columns: string;
  /** The search of the list. */
  search: DocumentSearch;
}

/** Memoised, so that a refreshed list only renders changed rows. */
const Row = memo(function Row({ document, isSelected, toggle, columns, search }: RowProps) {
  return (
    <tr
      data-id={document.id}
      className="relative border-b border-rule hover:bg-wash has-[a:focus-visible]:bg-wash max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3"
    >
      <td className="w-9 max-sm:row-span-2 max-sm:w-auto">
        <label className="relative z-1 -my-2 flex select-none min-h-10 w-9 items-center max-lg:min-h-11 max-sm:-mx-2 max-sm:w-11 max-sm:pl-2">
          <input
            type="checkbox"
            aria-label={fill(documentsText.selectOne, { title: document.title })}
            className="size-4 accent-accent"
            checked={isSelected}
            onChange={() => {}}
            onClick={(event) => toggle(document.id, event.shiftKey)}
          />
        </label>
      </td>
      <td className="py-3 pr-4 max-sm:p-0 sm:w-[40%]">
        <Link
          to="/documents/$id"
          params={{ id: document.id }}
          state={{ list: search }}
          className="line-clamp-2 font-semibold after:absolute after:inset-0 hover:text-accent"
        >
          <bdi>{document.title}</bdi>
        </Link>
      </td>
      <td className="py-3 pr-4 text-soft max-sm:order-3 max-sm:p-0 max-sm:text-sm">
        <bdi className="line-clamp-1">{recipientNames(document)}</bdi>
      </td>
      {shownColumns(columns).map((name) => (
        <td
          key={name}
          className="py-3 pr-4 text-sm text-soft max-sm:order-5 max-sm:col-span-2 max-sm:col-start-2 max-sm:p-0 sm:whitespace-nowrap"
        >
          {name === 'type' && typeNames[document.type]}
          {name === 'sender' && <Sender of={document.sender} />}
          {name === 'created' && (
            <>
              <span className="sm:hidden">{documentsText.createdOn} </span>
              <Time at={document.created_at} />
            </>
          )}
        </td>
      ))}
      <td className="py-3 pr-4 max-sm:p-0">
        <StatusBadge status={document.status} /> {document.is_test && <TestBadge />}
        {document.send_at !== null && (
          <span className="block text-xs text-soft">
            {fill(documentsText.scheduledFor, { time: formatMoment(document.send_at) })}
          </span>
        )}
        {document.status === 'partially_signed' && (
          <span className="block text-xs text-soft max-sm:sr-only">
            {fill(documentsText.signed, { signed: document.signed_count, all: document.signer_count })}
          </span>
        )}
      </td>
      <td className="py-3 text-right text-sm whitespace-nowrap text-soft max-sm:order-4 max-sm:p-0">
        <Time at={document.updated_at} />
      </td>
    </tr>
  );
});

/** Null while a list with senders is loaded. */
function Sender({ of }: { of: DocumentSummary['sender'] }) {
  if (of === null) return null;
  const name = senderName(of);
  const shown = of.has_sent ? name : fill(documentsText.createdBy, { name });
  return (
    <>
      {of.has_sent && <span className="sm:hidden">{documentsText.sender}: </span>}
      <bdi className="sm:block sm:max-w-28 sm:truncate lg:max-w-44" title={shown}>
        {shown}
      </bdi>
    </>
  );
}

function shownColumns(columns: string): (keyof typeof documentsText.moreColumns)[] {
  return (['type', 'sender', 'created'] as const).filter((name) => columns.split(',').includes(name));
}

export function recipientNames({ recipient_names, recipient_count }: DocumentSummary): string {
  if (recipient_count === 0) return documentsText.noRecipients;
  const names = recipient_names.join(', ');
  const others = recipient_count - recipient_names.length;
  return others === 0 ? names : fill(count(others, documentsText.others), { names });
}
