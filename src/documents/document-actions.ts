import type { Actor } from '../actor.ts';
import { Refusal } from '../errors.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { concealDocument } from '../webhooks/record-event.ts';
import { type AuditAction, appendAudit } from './audit.ts';
import { assertNotScheduled, canBeMirrored, type Document, isUnsent, type RestrictedKind } from './document.ts';
import { isStorable } from './field.ts';
import { saveReviewNote } from './review.ts';

/**
 * Actions of members and operators on a document: internal review, templates, restriction and mirrors. For each of them
 * the caller holds the document's lock and has checked permissions. Each throws a `Refusal` if its rules are broken.
 */

/** Submits a draft for internal review. */
export async function submitForReview(world: World, tx: Tx, document: Document, actor: Actor): Promise<void> {
  if (document.status !== 'draft')
    throw new Refusal(`only a draft can be reviewed, this document is ${document.status}`);
  assertNotScheduled(document);
  if (document.is_template) throw new Refusal("a template can't be reviewed, because it is never sent");
  document.status = 'in_review';
  await change(world, tx, document, actor, 'submitted_for_review', {}, { status: 'in_review' });
}

export const reviewNoteLengthMax = 1000;

/**
 * Returns a document from review to draft. The note with the reason is for members only. It is not in the audit trail,
 * because recipients get the audit trail with the sealed PDF.
 */
export async function returnToDraft(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  note: string,
): Promise<void> {
  if (document.status !== 'in_review') {
    throw new Refusal(`only a document in review can be returned to draft, this one is ${document.status}`);
  }
  assertNotScheduled(document);
  if (note.trim() === '' || [...note].length > reviewNoteLengthMax || !isStorable(note)) {
    throw new Refusal(`a note must be 1 to ${reviewNoteLengthMax} characters`);
  }
  document.status = 'draft';
  await change(world, tx, document, actor, 'returned_to_draft', {}, { status: 'draft' });
  await saveReviewNote(tx, document, note);
}

/**
 * Turns a draft into a template. API keys can't see templates: lists leave them out, and retrieval returns 404. A draft that
 * mirrors wait for can't become one, because a template is never completed.
 */
export async function makeTemplate(world: World, tx: Tx, document: Document, actor: Actor): Promise<void> {
  if (document.status !== 'draft')
    throw new Refusal(`only a draft can become a template, this document is ${document.status}`);
  if (document.is_template) throw new Refusal('the document is already a template');
  assertNotScheduled(document);
  if (await isAwaited(tx, document)) {
    throw new Refusal("a draft with mirrors can't become a template, because they would wait for it forever");
  }
  document.is_template = true;
  await change(world, tx, document, actor, 'made_template', {}, { is_template: true });
}

/**
 * Restricts a document, or changes the kind of a restricted one. From then on, API keys get 404 for it and webhooks show
 * only its id.
 */
export async function restrictDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  kind: RestrictedKind,
): Promise<void> {
  document.restricted_kind = kind;
  await concealDocument(tx, document.account_id, document.id);
  await change(world, tx, document, actor, 'restricted', { kind }, { restricted_kind: kind });
}

/** Lifts the restriction. API keys, and everyone who could see the document before, can see it again. */
export async function liftRestriction(world: World, tx: Tx, document: Document, actor: Actor): Promise<void> {
  const kind = document.restricted_kind;
  if (kind === null) throw new Refusal('the document is not restricted');
  document.restricted_kind = null;
  await change(world, tx, document, actor, 'restriction_lifted', { kind }, { restricted_kind: null });
}

/**
 * Makes a document the mirror of another one. It can't be sent until the other is completed (`pay_app_unsigned`). Throws a `Refusal`
 * if the other is a template, can't be completed any more, or itself waits for this one.
 */
export async function mirrorDocument(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
  other: Document,
): Promise<void> {
  if (other.account_id !== document.account_id) throw new Refusal('the other document belongs to another account');
  if (other.id === document.id) throw new Refusal("a document can't mirror itself");
  if (!isUnsent(document.status)) {
    throw new Refusal(`only an unsent document can mirror another, this one is ${document.status}`);
  }
  if (other.is_template) throw new Refusal("a template can't have a mirror, because it is never completed");
  if (!canBeMirrored(other)) {
    throw new Refusal(`a document that is ${other.status} can't have a mirror, because it can't be completed any more`);
  }
  if (await waitsFor(tx, other, document.id)) throw new Refusal('the other document already mirrors this one');
  document.mirrors_document_id = other.id;
  await change(world, tx, document, actor, 'mirrored', { of: other.id }, { mirrors_document_id: other.id });
}

/** Whether an unsent document can't be sent until this one is completed. */
async function isAwaited(tx: Tx, { id, account_id }: Document): Promise<boolean> {
  const waiting = await tx.query({
    name: 'find_waiting_mirror',
    text: `select from documents where account_id = $1 and mirrors_document_id = $2
             and status in ('draft', 'in_review') and not is_template limit 1`,
    values: [account_id, id],
  });
  return waiting.length > 0;
}

/** Whether a document mirrors another one, directly or through others. */
async function waitsFor(tx: Tx, { id, account_id }: Document, otherId: string): Promise<boolean> {
  const found = await tx.query({
    name: 'documents_mirrored_by',
    text: `with recursive mirrored as (
             select mirrors_document_id as id from documents where account_id = $1 and id = $2
             union
             select d.mirrors_document_id from mirrored m join documents d on d.account_id = $1 and d.id = m.id
           )
           select from mirrored where id = $3`,
    values: [account_id, id, otherId],
  });
  return found.length > 0;
}

type Changes = Partial<Pick<Document, 'status' | 'is_template' | 'restricted_kind' | 'mirrors_document_id'>>;

async function change(
  world: World,
  tx: Tx,
  document: Document,
  actor: Actor,
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
