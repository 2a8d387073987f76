import { listComments, type RecipientComment } from '../../documents/comments.ts';
import { listRecipients } from '../../documents/queries.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { openList } from '../core/open-list.ts';
import { findOwnDocument } from './own-document.ts';
import { readTimeline } from './timeline.ts';
import { viewDocument } from './view-document.ts';

/** Reading a document of the company. */
export const documentEndpoints = [
  forMembers('GET /documents/:id', 'member', {}, show),
  forMembers('GET /documents/:id/timeline', 'member', {}, showTimeline),
  forMembers('GET /documents/:id/comments', 'member', {}, showComments),
];

async function show(deps: ConsoleDeps, call: MemberCall) {
  return viewDocument(deps, deps.db, call, await findOwnDocument(deps.db, call));
}

/** Lists the history of a document, newest first. */
async function showTimeline(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const document = await findOwnDocument(db, call);
  const { limit, afterId, answer } = openList(deps, call, `console timeline ${document.id}`);
  const recipients = await listRecipients(db, document.account_id, document.id);
  const before = afterId === null ? null : seqOf(afterId);
  const entries = await readTimeline(db, document, recipients, { before, limit: limit + 1 });
  const page = entries.slice(0, limit);
  return answer(page, entries.length > limit ? positionOf(page.at(-1)?.seq ?? 0) : null);
}

/** A comment of a recipient. Name and text are null once the person was erased. */
export type CommentView = Pick<RecipientComment, 'id' | 'at' | 'name' | 'text'>;

/** Lists what recipients wrote to the sender, oldest first. They are few, so there are no pages. */
async function showComments({ db }: ConsoleDeps, call: MemberCall): Promise<{ data: CommentView[] }> {
  const comments = await listComments(db, await findOwnDocument(db, call));
  return { data: comments.map(({ id, at, name, text }) => ({ id, at, name, text })) };
}

/** Writes a sequence number as an id, because cursors contain ids. */
function positionOf(seq: number): string {
  return `00000000-0000-0000-0000-${String(seq).padStart(12, '0')}`;
}

function seqOf(position: string): number {
  return Number(position.slice(-12));
}
