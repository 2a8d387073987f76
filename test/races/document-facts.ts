import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { readAttachment } from '../../src/documents/attachment.ts';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { contentOf } from '../../src/documents/content.ts';
import type { Document } from '../../src/documents/document.ts';
import { findDocument, listRecipients } from '../../src/documents/queries.ts';
import { listMessages } from '../../src/messages/message.ts';
import type { Bench } from './document-verbs.ts';

/** The outcome of a document. Two runs with the same outcome have equal facts. */
export async function factsOf({ app, company }: Bench, id: string) {
  const { db } = app;
  const document = (await findDocument(db, id)) as Document;
  const [recipients, audit, messages, attachment, events] = await Promise.all([
    listRecipients(db, company.id, id),
    readAudit(db, company.id, id),
    listMessages(db, company.id, id),
    readAttachment(db, company.id, id),
    db.query<{ type: string }>({
      name: '',
      text: 'select type from events where document_id = $1 order by type',
      values: [id],
    }),
  ]);
  return { document, recipients, audit, messages, attachment, events: events.map(({ type }) => type) };
}

export type Facts = Awaited<ReturnType<typeof factsOf>>;

/** The facts without ids, times and hashes. */
export function summaryOf({ document, recipients, audit, messages, attachment, events }: Facts) {
  const nameOf = new Map(recipients.map(({ id, position }) => [id, position]));
  return {
    status: document.status,
    title: document.title,
    restricted: document.restricted_kind,
    isScheduled: document.send_at !== null,
    failure: document.send_failure,
    recipients: recipients.map(({ display_name, status, holder }) => [display_name, status, holder]),
    actions: audit.map(({ action }) => action),
    messages: messages.map((m) => [nameOf.get(m.recipient_id), m.holder, m.kind, m.status].join(' ')).sort(),
    fields: attachment?.fields.length,
    events,
  };
}

/** Checks what must always hold for a document. */
export function expectConsistent({ document, recipients, audit, messages, attachment, events }: Facts): void {
  expect(firstBreak(document.id, audit)).toBeNull();
  expect([audit.at(-1)?.seq, audit.at(-1)?.hash]).toEqual([document.audit_seq, document.audit_hash]);
  expect(document.recipient_count).toBe(recipients.length);

  const signed = recipients.filter(({ status }) => status === 'signed');
  const count = (type: string) => events.filter((event) => event === type).length;
  expect(count('document.signed')).toBe(signed.length);
  expect(count('document.voided')).toBe(document.status === 'voided' ? 1 : 0);
  expect(count('document.declined')).toBe(recipients.filter(({ status }) => status === 'declined').length);
  if (document.status === 'sent') expect(signed).toEqual([]);
  if (document.status === 'partially_signed') expect(signed.length).toBeGreaterThan(0);
  expect(document.status === 'completed').toBe(signed.length === recipients.length && document.voided_at === null);

  for (const recipient of recipients) {
    const byThem = audit.filter(({ actor }) => actor === `recipient:${recipient.id}`).map(({ action }) => action);
    const answers = byThem.filter((action) => action === 'signed' || action === 'approved' || action === 'declined');
    const hasAnswered = recipient.status === 'signed' || recipient.status === 'declined';
    expect(answers).toHaveLength(hasAnswered ? 1 : 0);
    const passedOn = audit.filter((a) => a.action === 'reassigned' && a.detail.recipient_id === recipient.id);
    // The verbs of these tests use only the link of the first recipient.
    expect(hasAnswered && passedOn.length > 0, 'reassigned and answered by the former holder').toBe(false);
    expect(recipient.holder).toBe(
      (messages.find((m) => m.recipient_id === recipient.id)?.holder ?? 1) + passedOn.length,
    );
  }
  for (const message of messages.filter(({ status }) => status === 'pending')) {
    const recipient = recipients.find(({ id }) => id === message.recipient_id);
    expect(['sent', 'partially_signed']).toContain(document.status);
    expect(['sent', 'viewed']).toContain(recipient?.status);
    expect(message.holder).toBe(recipient?.holder);
  }
  if (document.content_sha256 !== null) {
    const content = contentOf(document, recipients, attachment);
    expect(document.content_sha256.toString('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  }
}
