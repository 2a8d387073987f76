import { type Document, isUnsent } from '../documents/document.ts';
import { listRecipients } from '../documents/queries.ts';
import type { Recipient } from '../documents/recipient.ts';
import { framedPageHeaders, pageHeaders } from '../http/security-headers.ts';
import { previewSession } from '../signing/preview-session.ts';
import { renderSession } from '../signing/signing-view.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { findPage, orUnavailable, showPage } from './document-file-endpoints.ts';
import { findOwnDocument, findParty } from './own-document.ts';
import { RawAnswer } from './raw-answer.ts';

/** The signing page of a party before anything is sent, and what its script asks for. Nothing can be posted to it. */
export const previewEndpoints: ConsoleEndpoint[] = [
  forMembers('GET /documents/:id/parties/:party/preview', 'member', {}, show),
  forMembers('GET /documents/:id/parties/:party/preview/pages/:page', 'member', {}, showPartysPage),
  forMembers('GET /documents/:id/parties/:party/preview/pages/:page/text', 'member', {}, showText),
];

/** `step=first`: what comes before the document for whoever has to prove who it is, or is handed a device. */
async function show({ world, db }: ConsoleMeans, call: MemberCall) {
  const document = await findOwnDocument(db, call);
  if (!isUnsent(document.status)) throw new ConsoleError('refused');
  const recipients = await listRecipients(db, document.account_id, document.id);
  const party = await findParty(db, call, document);
  const step = call.query.step === 'first' ? 'first' : 'document';
  const session = previewSession(document, recipients, party, step, world.clock.now());
  const html = await renderSession(db, session, { address: addressOf(document, party), isPreview: true });
  return new RawAnswer(Buffer.from(html), { ...pageHeaders, ...framedPageHeaders });
}

function addressOf(document: Document, party: Recipient): string {
  return `/console/api/documents/${document.id}/parties/${party.id}/preview`;
}

async function showPartysPage(means: ConsoleMeans, call: MemberCall) {
  await findParty(means.db, call, await findOwnDocument(means.db, call));
  return showPage(means, call);
}

/** As the signing page lays it over the picture. */
async function showText({ db, pages }: ConsoleMeans, call: MemberCall) {
  await findParty(db, call, await findOwnDocument(db, call));
  const { sha256, page } = await findPage(db, call);
  const { lines } = await orUnavailable(pages.text(sha256.toString('hex'), page));
  return { lines: lines.map(({ text, x, y, width, height }) => ({ text, x, y, width, height })) };
}
