import { endOf, type FoundSeal } from '../pdf/reading/find-seals.ts';
import { readSignedData } from '../pdf/reading/signed-data.ts';
import { readTimeStamp, type TimeStamp } from '../pdf/reading/time-stamp.ts';
import { isTrustedTimeStamp } from '../pdf/reading/trusted-time-stamp.ts';
import { type Finding, finding } from './findings.ts';
import { type TimeStampFacts, timeStampFacts } from './report.ts';

/** How time-stamps are judged. */
export interface Trust {
  /** Certificates (DER) of the authorities whose time-stamps are trusted. */
  anchors: readonly Uint8Array[];
  now: Date;
}

/** Clocks differ: a time-stamp may be this much earlier than the sending or later than now. */
const clockMsMax = 300_000;

/** Whether a trusted authority made a time-stamp, which the caller has read, between the sending and now. */
export async function isTrusted(
  token: Buffer,
  { at }: TimeStamp,
  sentAt: Date | null,
  { anchors, now }: Trust,
): Promise<boolean> {
  if (sentAt === null) return false;
  const isPossible = at.getTime() >= sentAt.getTime() - clockMsMax && at.getTime() <= now.getTime() + clockMsMax;
  return isPossible && isTrustedTimeStamp(token, at, anchors);
}

/** Examines the time-stamps over the whole file that were added after the seal. */
export async function examineStamps(
  file: Buffer,
  stamps: readonly FoundSeal[],
  sentAt: Date | null,
  trust: Trust,
): Promise<{ findings: Finding[]; facts: TimeStampFacts[] }> {
  const findings: Finding[] = [];
  const facts: TimeStampFacts[] = [];
  for (const stamp of stamps) {
    const read = readStamp(file, stamp);
    if (read === null) {
      findings.push(finding('time_stamp_broken'));
      continue;
    }
    const isVerified = await isTrusted(read.token, read.timeStamp, sentAt, trust);
    const found = timeStampFacts(read.timeStamp);
    findings.push(finding(isVerified ? 'document_time_stamped' : 'document_time_stamp_unverified', found));
    facts.push({ ...found, isVerified });
  }
  return { findings, facts };
}

/** Reads a time-stamp and checks it against the bytes that it covers. Returns null when it does not hold. */
function readStamp(file: Buffer, stamp: FoundSeal): { token: Buffer; timeStamp: TimeStamp } | null {
  const { range, contents } = stamp;
  if (contents === null) return null;
  try {
    const { raw: token } = readSignedData(contents);
    const isRoomEmpty = contents.subarray(token.length).every((byte) => byte === 0);
    const covered = [file.subarray(0, range[1]), file.subarray(range[2], endOf(stamp))];
    return isRoomEmpty ? { token, timeStamp: readTimeStamp(token, covered) } : null;
  } catch {
    return null;
  }
}
