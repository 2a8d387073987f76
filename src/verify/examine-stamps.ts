import { createCoveredDigest, readDocumentStamp } from '../pdf/reading/document-stamp.ts';
import type { FoundSeal } from '../pdf/reading/find-seals.ts';
import type { TimeStamp } from '../pdf/reading/time-stamp.ts';
import { isTrustedTimeStamp } from '../pdf/reading/trusted-time-stamp.ts';
import { type Finding, type FindingId, finding } from './findings.ts';
import { type TimeStampFacts, timeStampFacts } from './report.ts';

/** How time-stamps are judged. */
export interface Trust {
  /** Certificates (DER) of the authorities whose time-stamps are trusted. */
  anchors: readonly Uint8Array[];
  now: Date;
}

/** Clocks differ: a time-stamp may be this much earlier than the sending or later than now. */
const clockMsMax = 300_000;

/**
 * What a time-stamp proves. `ended`: a trusted authority made it, and a certificate of the authority ended before anything later
 * proved that it existed. Its key may have become known since then.
 */
export type StampTrust = 'trusted' | 'ended' | 'untrusted';

/**
 * Judges a time-stamp, which the caller has read. It must be from between the sending and `now`, when it is known to have existed:
 * the time of the next time-stamp, which covers it.
 */
export async function judgeStamp(
  token: Buffer,
  { at }: TimeStamp,
  sentAt: Date | null,
  { anchors, now }: Trust,
): Promise<StampTrust> {
  if (sentAt === null) return 'untrusted';
  const isPossible = at.getTime() >= sentAt.getTime() - clockMsMax && at.getTime() <= now.getTime() + clockMsMax;
  if (!isPossible || !(await isTrustedTimeStamp(token, at, anchors))) return 'untrusted';
  return now <= at || (await isTrustedTimeStamp(token, now, anchors)) ? 'trusted' : 'ended';
}

const findingOfTrust = {
  trusted: 'document_time_stamped',
  ended: 'document_time_stamp_ended',
  untrusted: 'document_time_stamp_unverified',
} as const satisfies Record<StampTrust, FindingId>;

/**
 * Examines the time-stamps over the whole file that were added after the seal, in order. Each is checked at the time of the next
 * one that is trusted, the last one at the time of `trust`. `provenAt` is the time of the first one that is trusted, at which the
 * seal is known to have existed.
 */
export async function examineStamps(
  file: Buffer,
  stamps: readonly FoundSeal[],
  sentAt: Date | null,
  trust: Trust,
): Promise<{ findings: Finding[]; facts: TimeStampFacts[]; provenAt: Date }> {
  const digestOf = createCoveredDigest(file);
  const read = stamps.map((stamp) => readDocumentStamp(stamp, digestOf));
  const findings: Finding[] = [];
  const facts: TimeStampFacts[] = [];
  let provenAt = trust.now;
  for (const stamp of read.reverse()) {
    if (stamp === null) {
      findings.unshift(finding('time_stamp_broken'));
      continue;
    }
    const judged = await judgeStamp(stamp.token, stamp.timeStamp, sentAt, { ...trust, now: provenAt });
    const found = timeStampFacts(stamp.timeStamp);
    findings.unshift(finding(findingOfTrust[judged], found));
    facts.unshift({ ...found, isVerified: judged === 'trusted' });
    if (judged === 'trusted' && stamp.timeStamp.at < provenAt) provenAt = stamp.timeStamp.at;
  }
  return { findings, facts, provenAt };
}
