import { consentTerms, readSigningSettings } from '../../accounts/signing-settings.ts';
import { type Document, isUnsent } from '../../documents/document.ts';
import { listRecipients } from '../../documents/queries.ts';
import type { Recipient } from '../../documents/recipient.ts';
import { framedPageHeaders, pageHeaders } from '../../http/security-headers.ts';
import { previewSession } from '../../signing/preview-session.ts';
import { renderSession } from '../../signing/signing-view.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { findPage, orUnavailable, showPage } from './document-file-endpoints.ts';
import { findOwnDocument, findRecipient } from './own-document.ts';

/** The signing page of a recipient as a preview before sending. Previews accept no POST. */
export const previewEndpoints = [
  forMembers('GET /documents/:id/recipients/:recipient/preview', 'member', {}, show),
  forMembers('GET /documents/:id/recipients/:recipient/preview/pages/:page', 'member', {}, showRecipientsPage),
  forMembers('GET /documents/:id/recipients/:recipient/preview/pages/:page/text', 'member', {}, showText),
];

/** Shows the preview. `step=first` shows the page before the document: the identity check or the device handover. */
async function show({ world, db, pages }: ConsoleDeps, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  if (!isUnsent(document.status)) throw new ConsoleError('refused');
  const [recipients, settings] = await Promise.all([
    listRecipients(db, document.account_id, document.id),
    readSigningSettings(db, document.account_id),
  ]);
  const recipient = await findRecipient(db, call, document);
  const step = call.query.step === 'first' ? 'first' : 'document';
  const session = previewSession(document, consentTerms(settings), recipients, recipient, step, world.clock.now());
  const html = await renderSession(db, pages, session, {
    address: addressOf(document, recipient),
    isPreview: true,
    language: document.primary_language,
  });
  return new RawAnswer(Buffer.from(html), { ...pageHeaders, ...framedPageHeaders });
}

function addressOf(document: Document, recipient: Recipient): string {
  return `/console/api/documents/${document.id}/recipients/${recipient.id}/preview`;
}

async function showRecipientsPage(deps: ConsoleDeps, call: MemberCall) {
  await findRecipient(deps.db, call, await findOwnDocument(deps.db, call));
  return showPage(deps, call);
}

/** Answers with the lines of a page and their positions, as on the signing page. */
async function showText({ db, pages }: ConsoleDeps, call: MemberCall) {
  await findRecipient(db, call, await findOwnDocument(db, call));
  const { file, page } = await findPage(db, call);
  const { lines } = await orUnavailable(pages.text(file, page));
  return { lines: lines.map(({ text, x, y, width, height }) => ({ text, x, y, width, height })) };
}
