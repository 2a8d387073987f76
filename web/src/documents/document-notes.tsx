import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAtLeast, useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { Time } from '../ui/time.tsx';
import { detailText } from './detail-texts.ts';
import { folderText } from './folder-texts.ts';
import { historyText } from './history-texts.ts';
import { LazyScheduleNote, NotTaken } from './lazy-parts.ts';
import { MirrorNote } from './mirrors.tsx';
import { reviewText } from './review-texts.ts';
import type { DocumentDetail } from './types.ts';

const { facts } = detailText;

/** Notices at the top of a document or template. `refused`: why its PDF was not attached. */
export function DocumentNotes({ document, refused }: { document: DocumentDetail; refused: string | undefined }) {
  const { file, seal_changed_page, voided_reason, restricted_kind, is_read_only, is_test } = document;
  return (
    <>
      {document.schedule !== null && <LazyScheduleNote document={document} />}
      <ReviewNote document={document} />
      <MirrorNote document={document} />
      <LinkNote document={document} />
      {refused !== undefined && file === null && <NotTaken isTemplate={document.is_template} refused={refused} />}
      {seal_changed_page !== null && <Warning>{fill(facts.sealStopped, { page: String(seal_changed_page) })}</Warning>}
      {voided_reason !== null && <Warning>{fill(facts.voided, { reason: voided_reason })}</Warning>}
      {restricted_kind !== null && <Warning>{facts.restricted}</Warning>}
      {is_read_only && <p className="mt-3 rounded-lg bg-wash px-3.5 py-2.5">{folderText.readOnlyOne}</p>}
      {is_test && <Warning>{facts.testMode}</Warning>}
    </>
  );
}

/** Names the public link that a document was made from. */
function LinkNote({ document: { public_link } }: { document: DocumentDetail }) {
  if (public_link === null) return null;
  const { id, template_id, name } = public_link;
  return (
    <p className="mt-3 rounded-lg bg-wash px-3.5 py-2.5">
      {facts.publicLink}{' '}
      <Link
        to="/templates/$id/links/$link"
        params={{ id: template_id, link: id }}
        className="font-semibold text-accent underline"
      >
        <bdi>{name}</bdi>
      </Link>
    </p>
  );
}

function ReviewNote({ document: { review } }: { document: DocumentDetail }) {
  const { role } = useMe();
  if (review === null) return null;
  const { status, at, by, note } = review;
  const { waiting, waitingForYou, waitingForOthers, returned } = reviewText.review;
  const who = by.name ?? historyText.actors[by.kind];
  return (
    <div
      className={`mt-3 rounded-lg px-3.5 py-2.5 ${status === 'waiting' ? 'bg-accent-wash' : 'bg-warn-wash text-warn'}`}
    >
      <p>
        <bdi>{fill(status === 'waiting' ? waiting : returned, { name: who })}</bdi> · <Time at={at} />
      </p>
      {status === 'waiting' && <p>{isAtLeast(role, 'admin') ? waitingForYou : waitingForOthers}</p>}
      {note !== null && (
        <p className="mt-1 font-medium whitespace-pre-line">
          <q>{note}</q>
        </p>
      )}
    </div>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return <p className="mt-3 rounded-lg bg-warn-wash px-3.5 py-2.5 text-warn">{children}</p>;
}
