import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { count } from '../language.ts';
import { Badge } from '../ui/status-badge.tsx';
import { ItemUnlock } from '../unlocked/item-unlock.tsx';
import { itemText } from './item-texts.ts';
import type { ItemView } from './types.ts';
import { RetryButton, UploadCell } from './upload/upload-cell.tsx';
import { isUnderWay, isWorthRetrying, useUpload } from './upload/uploads.ts';

interface ItemTableProps {
  importId: string;
  items: readonly ItemView[];
  /** Other items are loading. */
  isStale: boolean;
}

/** A table, or cards on phones. */
export function ItemTable({ importId, items, isStale }: ItemTableProps) {
  const { name, outcome, unlock, document } = itemText.columns;
  return (
    <table className={`mt-3 w-full table-fixed border-collapse max-md:block ${isStale ? 'opacity-60' : ''}`}>
      <thead className="max-md:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          {[name, outcome, unlock, document].map((column) => (
            <th key={column} scope="col" className="py-2 pr-6 font-medium last:pr-0">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => (
          <Row key={item.id} importId={importId} item={item} />
        ))}
      </tbody>
    </table>
  );
}

/** Memoised: while an import runs the list is read every second, and only changed rows are rendered. */
const Row = memo(function Row({ importId, item }: { importId: string; item: ItemView }) {
  const cell = 'py-3 pr-6 last:pr-0 max-md:p-0';
  return (
    <tr className="border-b border-rule align-top max-md:grid max-md:grid-cols-1 max-md:gap-y-1.5 max-md:py-3">
      <td className={`${cell} break-words ${item.is_hidden ? 'text-soft' : 'font-medium'}`}>
        <bdi>{item.is_hidden ? itemText.hidden : (item.name ?? itemText.unnamed)}</bdi>
      </td>
      <td className={cell}>
        <Outcome importId={importId} item={item} />
      </td>
      <td className={`${cell} text-sm text-soft ${item.document_id === null ? 'max-md:hidden' : ''}`}>
        <Unlocking item={item} />
      </td>
      <td className={`${cell} ${item.document_id === null ? 'max-md:hidden' : ''}`}>
        {item.document_id !== null && (
          <Link
            to="/documents/$id"
            params={{ id: item.document_id }}
            search={{}}
            className="font-medium break-words text-accent underline"
          >
            <bdi>{item.document_title ?? itemText.open}</bdi>
          </Link>
        )}
      </td>
    </tr>
  );
});

/** Shows the state of an upload from this page until the server has the outcome. */
function Outcome({ importId, item }: { importId: string; item: ItemView }) {
  const { id, status, reason, duplicate, pages } = item;
  const upload = useUpload(id);
  const name = item.name ?? itemText.unnamed;
  const isOpen = status === 'queued' || status === 'running';
  if (upload !== null && (isUnderWay(upload) || isOpen || (upload.kind === 'failed' && status === 'failed'))) {
    return <UploadCell importId={importId} itemId={id} name={name} progress={upload} />;
  }
  switch (status) {
    case 'queued':
      return <Badge tone="neutral">{itemText.queued}</Badge>;
    case 'running':
      return <Badge tone="active">{itemText.running}</Badge>;
    case 'filed':
      return (
        <span className="flex flex-wrap items-center gap-x-2">
          <Badge tone="good">{duplicate ? itemText.duplicate : itemText.filed}</Badge>
          {pages !== null && <span className="text-sm text-soft">{count(pages, itemText.pages)}</span>}
        </span>
      );
    case 'failed':
      return (
        <>
          <Badge tone="bad">{itemText.failed}</Badge>
          {reason !== null && <span className="mt-1 block text-sm">{itemText.reasons[reason]}</span>}
          {upload !== null && isWorthRetrying(upload) && <RetryButton itemId={id} name={name} />}
        </>
      );
  }
}

function Unlocking({ item }: { item: ItemView }) {
  const { document_id: id, document_unlock: since, can_unlock } = item;
  return (
    <>
      {unlocking(item)}
      {id !== null && since?.status === 'unlocked' && (
        <Link to="/documents/$id/unlocked" params={{ id }} className="block font-medium text-accent underline">
          {itemText.openText}
        </Link>
      )}
      {id !== null && can_unlock && (
        <div>
          <ItemUnlock id={id} name={item.document_title ?? item.name ?? ''} />
        </div>
      )}
    </>
  );
}

/** The unlock status of the import, or the current one of its document. */
function unlocking({ status, unlock, document_unlock: since }: ItemView): string {
  if (status === 'failed') return '';
  const { status: state, reason } = since ?? unlock ?? { status: null, reason: null };
  if (state === null) return itemText.notAsked;
  if (state === 'pending') return itemText.pending;
  if (state !== 'unlocked') return reason === null ? itemText.skipped : itemText.unlockReasons[reason];
  if (!unlock?.pages) return itemText.unlockedSince;
  const pages = count(unlock.pages, itemText.unlocked);
  return unlock.credits ? `${pages} · ${count(unlock.credits, itemText.credits)}` : pages;
}
