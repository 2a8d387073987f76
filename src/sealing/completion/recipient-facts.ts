import { asPart, type Block, columns, gap, stack, text } from '../../pdf/drawing/block.ts';
import { colours } from '../../pdf/drawing/theme.ts';
import type { Language } from '../../platform/language.ts';
import type { SealRecipient } from '../seal-input.ts';
import { fine } from './certificate-styles.ts';
import { describeDevice } from './describe-device.ts';
import { longTime } from './times.ts';
import type { Words } from './words.ts';

/** The left edge of details that don't fit on a line next to the names. */
const longDetail = 8;
/** Maximum characters of a user agent. The embedded audit trail has all of it. */
const userAgentMax = 240;

/**
 * What the certificate says about a recipient below the name, row by row: how they were reached and identified, and what they did
 * when.
 */
export function recipientFacts(
  recipient: SealRecipient,
  isTest: boolean,
  words: Words,
  language: Language,
  width: number,
): Block[] {
  const names = 57;
  const detailOf = (detail: string) => {
    const indented = text(detail, fine.note, colours.soft, width - names);
    if (indented.height <= fine.note.leading) return columns([names, indented]);
    return columns([longDetail, text(detail, fine.note, colours.soft, width - longDetail)]);
  };
  const row = (name: string, value: string | null, detail?: string | null) =>
    value === null
      ? gap(0)
      : asPart(
          'P',
          stack(
            columns(
              [0, text(name, fine.value, colours.soft, names - 4)],
              [names, text(value, fine.value, colours.ink, width - names)],
            ),
            detail ? detailOf(detail) : gap(0),
          ),
        );
  const time = (at: string | null) => (at === null ? null : longTime(at, language));
  const device = recipient.userAgent === null ? null : describeDevice(recipient.userAgent);
  const userAgent = recipient.userAgent === null ? null : shortened(recipient.userAgent);
  const isCopy = recipient.kind === 'cc';
  return [
    row(words.email, recipient.email, saltedHash(recipient.emailHash, words)),
    row(words.phone, recipient.phone, saltedHash(recipient.phoneHash, words)),
    isCopy ? gap(0) : row(words.identifiedBy, identification(recipient, isTest, words, language)),
    row(words.sent, time(recipient.sentAt), acceptance(recipient, words, language)),
    row(words.viewed, time(recipient.viewedAt)),
    row(
      recipient.kind === 'approver' ? words.approved : words.signed,
      signedOf(recipient, words, language),
      timeStampOf(recipient, words, language),
    ),
    row(words.signature, methodOf(recipient, words), hashOf(recipient.pictureSha256, words)),
    row(words.stamp, recipient.stampSha256 ? words.methods.uploaded : null, hashOf(recipient.stampSha256, words)),
    ...(recipient.files ?? []).map(({ name, bytes, sha256 }, index) =>
      row(index === 0 ? words.uploads : '', name, words.upload(bytes, sha256)),
    ),
    row(words.consent, consentOf(recipient, words, language)),
    row(words.ip, recipient.ip),
    row(words.device, device ?? userAgent, device === null ? null : userAgent),
    row(words.recipientId, recipient.id),
  ];
}

function identification(recipient: SealRecipient, isTest: boolean, words: Words, language: Language): string {
  const { verification, authLevel } = recipient;
  const isPublic = verification?.channel === 'email';
  const sentLink = recipient.isOpenedInAccount ? words.linkInAccount : words.personalLink[recipient.channel];
  const personalLink = isTest && recipient.channel !== 'in_person' ? words.linkNotSent : sentLink;
  const link = isPublic ? words.publicLink : personalLink;
  const proofs: string[] = [];
  if (verification !== null) {
    const { channel, numberEnding, at, wrongCodes } = verification;
    const code = words.code[channel](numberEnding, longTime(at, language));
    proofs.push(wrongCodes === 0 ? code : `${code}, ${words.wrongCodes(wrongCodes)}`);
  }
  if (authLevel === 'l0_account_session' && (verification === null || isPublic)) proofs.push(words.accountSession);
  return proofs.reduce(words.and, link);
}

/** Says which text was accepted, when and how. */
function consentOf({ consent }: SealRecipient, words: Words, language: Language): string | null {
  if (consent === null) return null;
  const accepted = words.disclosureAccepted(consent.disclosure, longTime(consent.at, language));
  return consent.how === null ? accepted : `${accepted} ${words.agreed[consent.how]}`;
}

/** Says when the request was accepted for delivery. */
function acceptance({ channel, acceptedAt }: SealRecipient, words: Words, language: Language): string | null {
  if (channel === 'in_person' || acceptedAt === null) return null;
  return words.accepted[channel](longTime(acceptedAt, language));
}

/** Says how the signature was made, and whether the recipient had saved it before. */
function methodOf({ method, isSaved }: SealRecipient, words: Words): string | null {
  if (method === null) return null;
  return isSaved === true ? words.savedEarlier(words.methods[method]) : words.methods[method];
}

/** Says when the recipient signed or approved, and that the service signed it too. A time-stamp is on its own line. */
function signedOf({ signedAt, attestation }: SealRecipient, words: Words, language: Language): string | null {
  if (signedAt === null) return null;
  const time = longTime(signedAt, language);
  return attestation && attestation.timeStamp === null ? words.attested(time) : time;
}

function timeStampOf({ attestation }: SealRecipient, words: Words, language: Language): string | null {
  const stamp = attestation?.timeStamp;
  return stamp ? words.timeStamped(longTime(stamp.at, language), stamp.authority) : null;
}

function saltedHash(hash: string | null | undefined, words: Words): string | null {
  return hash ? words.saltedHash(hash) : null;
}

function hashOf(sha256: string | null | undefined, words: Words): string | null {
  return sha256 ? words.pictureHash(sha256) : null;
}

function shortened(userAgent: string): string {
  return userAgent.length > userAgentMax ? `${userAgent.slice(0, userAgentMax)}…` : userAgent;
}
