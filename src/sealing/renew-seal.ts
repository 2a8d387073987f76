import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { ByteRange } from '../pdf/reading/find-seals.ts';
import { type LastStamp, lastStampOf, type StampValidity } from '../pdf/reading/last-stamp.ts';
import { NotRenewedError, type NotRenewedReason, renewPdf } from '../pdf/signatures/renew-pdf.ts';
import { renewalTime } from './renewal-time.ts';
import { sealedBytesMax } from './sealed-bytes.ts';

export interface RenewInput {
  /** The bytes that the seal of the file covers. */
  sealRange: ByteRange;
  tsaUrl: string;
  /** Certificates (DER) of trusted authorities. None: any authority is accepted. */
  anchors: readonly Uint8Array[];
  now: Date;
  /** Whether to renew before it is due. */
  isForced: boolean;
}

/**
 * What became of a sealed file:
 * - `unstamped`: it has no time-stamp, so none ends.
 * - `kept`: its time-stamp is not due.
 * - `renewed`: the file with a new time-stamp was written.
 * - `failed`: it has a time-stamp, unless `stamp` is null, and got no new one.
 */
export type RenewedSeal =
  | { kind: 'unstamped' }
  | { kind: 'kept'; stamp: StampValidity }
  | { kind: 'renewed'; stamp: StampValidity; sha256: string; bytes: number }
  | { kind: 'failed'; stamp: StampValidity | null; reason: NotRenewedReason | 'too_large' | 'failed'; message: string };

/** Adds a time-stamp to a sealed file when its newest one is due. Runs in a PDF process. */
export async function renewSeal(input: RenewInput, source: string, output: string): Promise<RenewedSeal> {
  const file = await readFile(source);
  const { sealRange, now, isForced } = input;
  let last: LastStamp | null;
  try {
    last = lastStampOf(file, sealRange);
  } catch (error) {
    return { kind: 'failed', stamp: null, reason: 'failed', message: (error as Error).message };
  }
  if (last === null) return { kind: 'unstamped' };
  const present = validityOf(last);
  if (!isForced && renewalTime(last) > now) return { kind: 'kept', stamp: present };
  try {
    const { file: renewed, stamp } = await renewPdf(file, sealRange, last, input);
    if (renewed.length > sealedBytesMax) {
      const message = `the file would have ${renewed.length} bytes, more than ${sealedBytesMax}`;
      return { kind: 'failed', stamp: present, reason: 'too_large', message };
    }
    await writeFile(output, renewed);
    const sha256 = createHash('sha256').update(renewed).digest('hex');
    return { kind: 'renewed', stamp: validityOf(stamp), sha256, bytes: renewed.length };
  } catch (error) {
    if (!(error instanceof NotRenewedError)) throw error;
    return { kind: 'failed', stamp: present, reason: error.reason, message: error.message };
  }
}

function validityOf({ at, until }: LastStamp): StampValidity {
  return { at, until };
}
