import { Link } from '@tanstack/react-router';
import { memo, useRef } from 'react';
import { count, fill } from '../language.ts';
import { useRowKeys } from '../shell/use-row-keys.ts';
import { StatusBadge, TestBadge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import { documentsText } from './texts.ts';
import type { DocumentSummary } from './types.ts';

/** A table, or cards on phones. The keys j and k move through the rows. */
export function DocumentTable({ documents, isStale }: { documents: readonly DocumentSummary[]; isStale: boolean }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const { columns } = documentsText;
  return (
    <table className={`mt-5 w-full border-collapse max-sm:block ${isStale ? 'opacity-60' : ''}`}>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-rule text-left text-sm text-soft">
          <th scope="col" className="py-2 pr-4 font-medium">
            {columns.title}
          </th>
          <th scope="col" className="py-2 pr-4 font-medium">
            {columns.recipients}
          </th>
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
          <Row key={document.id} document={document} />
        ))}
      </tbody>
    </table>
  );
}

/** Memoised, so that a refreshed list only renders changed rows. */
const Row = memo(function Row({ document }: { document: DocumentSummary }) {
  return (
    <tr className="relative border-b border-rule hover:bg-wash has-[a:focus-visible]:bg-wash max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3">
      <td className="py-3 pr-4 max-sm:p-0 sm:w-[40%]">
        <Link
          to="/documents/$id"
          params={{ id: document.id }}
          className="line-clamp-2 font-semibold after:absolute after:inset-0 hover:text-accent"
        >
          <bdi>{document.title}</bdi>
        </Link>
      </td>
      <td className="py-3 pr-4 text-soft max-sm:order-3 max-sm:p-0 max-sm:text-sm">
        <bdi className="line-clamp-1">{recipientNames(document)}</bdi>
      </td>
      <td className="py-3 pr-4 max-sm:p-0">
        <StatusBadge status={document.status} /> {document.is_test && <TestBadge />}
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

export function recipientNames({ recipient_names, recipient_count }: DocumentSummary): string {
  if (recipient_count === 0) return documentsText.noRecipients;
  const names = recipient_names.join(', ');
  const others = recipient_count - recipient_names.length;
  return others === 0 ? names : fill(count(others, documentsText.others), { names });
}
