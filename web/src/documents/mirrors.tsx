import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../ui/status-badge.tsx';
import { reviewText } from './review-texts.ts';
import type { DocumentDetail, DocumentStatus, LinkedDocument } from './types.ts';

const { mirrors: words } = reviewText;

/** For a mirror: the document that it waits for. */
export function MirrorNote({ document: { mirrors, status } }: { document: DocumentDetail }) {
  if (mirrors === null) return null;
  const isUnsent = status === 'draft' || status === 'in_review';
  return (
    <div className="mt-3 rounded-lg bg-wash px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {words.of} <LinkTo document={mirrors} />
      </p>
      {isUnsent && <p className="text-soft">{prospect(mirrors.status)}</p>}
    </div>
  );
}

/** The mirrors of a document. */
export function Mirrors({ document: { mirrored_by } }: { document: DocumentDetail }) {
  if (mirrored_by.length === 0) return null;
  return (
    <section aria-labelledby="mirrors">
      <h2 id="mirrors" className="text-xl">
        {words.title}
      </h2>
      <p className="mt-1 text-sm text-soft">{words.text}</p>
      <ul className="mt-3 grid gap-2">
        {mirrored_by.map((mirror) => (
          <li key={mirror.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <LinkTo document={mirror} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LinkTo({ document: { id, title, status } }: { document: LinkedDocument }) {
  return (
    <>
      {id === null ? (
        <span className="font-semibold">{words.hidden}</span>
      ) : (
        <Link to="/documents/$id" params={{ id }} className="font-semibold text-accent underline">
          <bdi>{title}</bdi>
        </Link>
      )}
      <StatusBadge status={status} />
    </>
  );
}

function prospect(status: DocumentStatus): string {
  if (status === 'completed') return words.ready;
  return status === 'voided' || status === 'declined' || status === 'expired' ? words.never : words.waits;
}
