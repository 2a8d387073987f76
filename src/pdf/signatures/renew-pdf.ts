import { X509Certificate } from 'node:crypto';
import type { ByteRange } from '../reading/find-seals.ts';
import { BrokenStampError, type LastStamp, lastStampOf } from '../reading/last-stamp.ts';
import { isTrustedTimeStamp } from '../reading/trusted-time-stamp.ts';
import { appendStamp } from './stamp-pdf.ts';
import { TimeStampError } from './timestamp-authority.ts';
import { embedStampData } from './validation-data.ts';

/** Why a file got no new time-stamp. `authority`: the authority made none that can be used. */
export type NotRenewedReason = 'authority' | 'no_later' | 'unreadable';

/** Thrown when a file gets no new time-stamp. */
export class NotRenewedError extends Error {
  override name = 'NotRenewedError';
  reason: NotRenewedReason;

  constructor(reason: NotRenewedReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Adds a document time-stamp to a sealed PDF whose newest time-stamp is `last`, with the data for checking that one later (ETSI EN
 * 319 142-1, 5.4.3). The file is only appended to. With `anchors` (DER), the authority must be one of them.
 *
 * @throws a `NotRenewedError`, also when the new time-stamp would end no later than the last one, unless `isForced`.
 */
export async function renewPdf(
  file: Buffer,
  sealRange: ByteRange,
  last: LastStamp,
  { tsaUrl, anchors, isForced = false }: { tsaUrl: string; anchors: readonly Uint8Array[]; isForced?: boolean },
): Promise<{ file: Buffer; stamp: LastStamp }> {
  const renewed = await appendStamp(file, tsaUrl, (pdf) =>
    embedStampData(pdf, last.contents, withIssuers(last.certificates, anchors)),
  ).catch((error: Error) => {
    throw new NotRenewedError(error instanceof TimeStampError ? 'authority' : 'unreadable', error.message);
  });
  const stamp = readNewStamp(renewed, file, sealRange);
  if (anchors.length > 0 && !(await isTrustedTimeStamp(stamp.token, stamp.at, anchors)))
    throw new NotRenewedError('authority', 'TSA_TRUST_FILE has no certificate for the new time-stamp');
  if (stamp.at.getTime() < last.at.getTime() - clockMsMax || stamp.until <= stamp.at)
    throw new NotRenewedError('authority', `the new time-stamp states an impossible time, ${stamp.at.toISOString()}`);
  if (!isForced && stamp.until <= last.until) {
    const [ends, before] = [stamp.until.toISOString(), last.until.toISOString()];
    throw new NotRenewedError('no_later', `the new time-stamp would end at ${ends}, the present one ends at ${before}`);
  }
  return { file: renewed, stamp };
}

/** Adds the trusted certificates that issued one of a time-stamp, because some authorities leave them out. */
function withIssuers(certificates: readonly X509Certificate[], anchors: readonly Uint8Array[]): X509Certificate[] {
  const trusted = anchors.map((der) => new X509Certificate(der));
  const missing = trusted.filter(
    (anchor) =>
      certificates.some((one) => one.checkIssued(anchor)) && !certificates.some(({ raw }) => raw.equals(anchor.raw)),
  );
  return [...certificates, ...missing];
}

/** Clocks of authorities differ: a later time-stamp may be this much earlier. */
const clockMsMax = 300_000;

/** Reads the new time-stamp as verifying does. */
function readNewStamp(renewed: Buffer, before: Buffer, sealRange: ByteRange): LastStamp {
  const unreadable = new NotRenewedError('unreadable', 'the addition could not be told from a change');
  if (renewed.length <= before.length || !renewed.subarray(0, before.length).equals(before)) throw unreadable;
  try {
    const stamp = lastStampOf(renewed, sealRange);
    if (stamp !== null) return stamp;
  } catch (error) {
    if (error instanceof BrokenStampError) throw new NotRenewedError('authority', error.message);
  }
  throw unreadable;
}
