import { Refusal } from '../errors.ts';
import type { Tx } from '../postgres/database.ts';
import { concealDocument } from '../webhooks/record-event.ts';
import type { World } from '../world/world.ts';
import { type AuditAction, appendAudit } from './audit.ts';
import { type Document, isUnsent, type RestrictedKind } from './document.ts';
import { isStorable } from './field.ts';
import { saveReviewNote } from './review.ts';

/**
 * What members and operators do to a paper beside sending and voiding: internal review, templates, restriction,
 * mirrors. Each takes the locked document. Who may is the caller's business.
 */
export async function submitForReview(world: World, tx: Tx, document: Document, actor: string): Promise<void> {
  if (document.status !== 'draft')
    throw new Refusal(`only a draft can be reviewed, this document is ${document.status}`);
  if (document.is_template) throw new Refusal('a template is never sent, and so not reviewed');
  document.status = 'in_review';
  await change(world, tx, document, actor, 'submitted_for_review', {}, { status: 'in_review' });
}

export const reviewNoteLengthMax = 1000;

/**
 * Out of review, for whoever wrote it to go on. The note says why, to members alone: the audit trail, which the parties
 * get with the sealed PDF, does not hold it.
 */
export async function returnToDraft(
  world: World,
  tx: Tx,
  document: Document,
  actor: string,
  note: string,
): Promise<void> {
  if (document.status !== 'in_review') {
    throw new Refusal(`only a document in review can be returned to draft, this one is ${document.status}`);
  }
  if (note.trim() === '' || [...note].length > reviewNoteLengthMax || !isStorable(note)) {
    throw new Refusal(`a note must be 1 to ${reviewNoteLengthMax} characters`);
  }
  document.status = 'draft';
  await change(world, tx, document, actor, 'returned_to_draft', {}, { status: 'draft' });
  await saveReviewNote(tx, document, note);
}

/** A template is never visible to API keys: excluded from lists, 404 on retrieval. */
export async function makeTemplate(world: World, tx: Tx, document: Document, actor: string): Promise<void> {
  if (document.status !== 'draft')
    throw new Refusal(`only a draft becomes a template, this document is ${document.status}`);
  if (document.is_template) throw new Refusal('the document is a template already');
  document.is_template = true;
  await change(world, tx, document, actor, 'made_template', {}, { is_template: true });
}

/**
 * A sensitive paper answers 404 to every API key from the next request on, and no webhook tells more of it than its id.
 * Its kind may be corrected.
 */
export async function restrictDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: string,
  kind: RestrictedKind,
): Promise<void> {
  document.restricted_kind = kind;
  await concealDocument(tx, document.account_id, document.id);
  await change(world, tx, document, actor, 'restricted', { kind }, { restricted_kind: kind });
}

/** Everybody who could see it before sees it again, and so do API keys. */
export async function liftRestriction(world: World, tx: Tx, document: Document, actor: string): Promise<void> {
  const kind = document.restricted_kind;
  if (kind === null) throw new Refusal('the document is not restricted');
  document.restricted_kind = null;
  await change(world, tx, document, actor, 'restriction_lifted', { kind }, { restricted_kind: null });
}

/** A mirror cannot be sent until the other is completed (`pay_app_unsigned`). */
export async function mirrorDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: string,
  other: Pick<Document, 'id' | 'account_id' | 'mirrors_document_id'>,
): Promise<void> {
  if (other.account_id !== document.account_id) throw new Refusal('the other document belongs to another account');
  if (other.id === document.id) throw new Refusal('a document cannot mirror itself');
  if (!isUnsent(document.status)) {
    throw new Refusal(`only an unsent document can mirror another, this one is ${document.status}`);
  }
  if (other.mirrors_document_id === document.id) throw new Refusal('the other document already mirrors this one');
  document.mirrors_document_id = other.id;
  await change(world, tx, document, actor, 'mirrored', { of: other.id }, { mirrors_document_id: other.id });
}

type Changes = Partial<Pick<Document, 'status' | 'is_template' | 'restricted_kind' | 'mirrors_document_id'>>;

async function change(
  world: World,
  tx: Tx,
  document: Document,
  actor: string,
  action: AuditAction,
  detail: Record<string, unknown>,
  changes: Changes,
): Promise<void> {
  const now = world.clock.now().toISOString();
  document.updated_at = now;
  const [column, value] = Object.entries(changes)[0] as [string, unknown];
  await Promise.all([
    tx.query({
      name: `change_document_${column}`,
      text: `update documents set ${column} = $3, updated_at = $4 where account_id = $1 and id = $2`,
      values: [document.account_id, document.id, value, now],
    }),
    appendAudit(tx, document, [{ at: now, actor, action, detail }]),
  ]);
}
