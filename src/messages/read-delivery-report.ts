import { decodedBody, type MimePart, readContentType, readPart, splitParts, unixLines } from './read-mime.ts';

/** A delivery report about one message. */
export interface DeliveryReport {
  /** The Message-ID of the message that was returned, without brackets. */
  messageId: string;
  outcome: 'bounced' | 'delayed';
  /** The reply of the mail server, or its status code. As the server wrote it. */
  reason: string | null;
}

/** Why an e-mail is no delivery report that can be used. */
export class UnreadableReport extends Error {}

/** The largest e-mail that is read. Reports often return the whole message, with its logo. */
export const reportBytesMax = 2 * 1024 * 1024;

/**
 * Reads a delivery status notification (RFC 3464): `multipart/report` with a `message/delivery-status` part and the returned
 * message or its headers. Reports about several recipients are a bounce if any of them failed. Throws an `UnreadableReport`
 * for other e-mails, and for reports of success.
 */
export function readDeliveryReport(bytes: Buffer): DeliveryReport {
  if (bytes.length === 0) throw new UnreadableReport('the e-mail is empty');
  if (bytes.length > reportBytesMax) throw new UnreadableReport('the e-mail is larger than 2 MiB');
  const parts = partsOf(readPart(unixLines(bytes.toString('utf8'))));
  const status = parts.find((part) => /^message\/(?:global-)?delivery-status$/.test(readContentType(part).type));
  if (status === undefined) throw new UnreadableReport('the report has no message/delivery-status part');
  const groups = groupsOf(decodedBody(status));
  return { messageId: returnedId(parts, groups), ...outcomeOf(groups) };
}

function partsOf(mail: MimePart): MimePart[] {
  const { type, parameters } = readContentType(mail);
  const isReport =
    type === 'multipart/report' && /^(?:global-)?delivery-status$/i.test(parameters.get('report-type') ?? '');
  if (!isReport) throw new UnreadableReport('this e-mail is not a delivery report (multipart/report)');
  const boundary = parameters.get('boundary') ?? '';
  if (boundary === '') throw new UnreadableReport('the report has no boundary');
  return splitParts(mail.body, boundary);
}

type Fields = MimePart['headers'];

const groupsMax = 100;

/** The groups of fields: the first is about the message, each other one about a recipient. */
function groupsOf(body: string): Fields[] {
  const groups = body.trim().split(/\n[ \t]*\n/, groupsMax);
  return groups.map((group) => readPart(group.trim()).headers);
}

function outcomeOf(groups: readonly Fields[]): Pick<DeliveryReport, 'outcome' | 'reason'> {
  const about = (action: string) => groups.find((fields) => fields.get('action')?.toLowerCase() === action);
  const [failed, delayed] = [about('failed'), about('delayed')];
  const fields = failed ?? delayed;
  if (fields === undefined) throw new UnreadableReport('the report tells of no failure and no delay');
  return { outcome: failed === undefined ? 'delayed' : 'bounced', reason: reasonOf(fields) };
}

/** `Diagnostic-Code: smtp; 550 5.1.1 …`, with the status code if the reply has none. */
function reasonOf(fields: Fields): string | null {
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null;
  const reply = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '').trim();
  if (reply === '') return status;
  return status === null || /\b[245]\.\d{1,3}\.\d{1,3}\b/.test(reply) ? reply : `${status} ${reply}`;
}

/** The Message-ID of the returned message, or the one that Gmail adds to the report. */
function returnedId(parts: readonly MimePart[], groups: readonly Fields[]): string {
  const returned = parts.find((part) => {
    return /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/.test(readContentType(part).type);
  });
  const inReturned = returned && readPart(decodedBody(returned).replace(/^\n+/, '')).headers.get('message-id');
  const written = inReturned ?? groups[0]?.get('x-original-message-id') ?? '';
  const [, id] = /^<([^<>\s@]+@[^<>\s@]+)>$/.exec(written.trim()) ?? [];
  if (id === undefined) throw new UnreadableReport('the report does not name the Message-ID of the returned message');
  return id;
}
