import type { X509Certificate } from 'node:crypto';
import { child, readDer } from './der.ts';

/** Tag of the version, which certificates of version 1 don't have. */
const versionTag = 0xa0;

/** Returns the issuer and the serial number of a certificate, each with the bytes of the certificate (RFC 5280, 4.1). */
export function issuerAndSerial({ raw }: X509Certificate): [issuer: Buffer, serial: Buffer] {
  const body = child(readDer(raw), 0);
  const serialAt = child(body, 0).tag === versionTag ? 1 : 0;
  return [child(body, serialAt + 2).raw, child(body, serialAt).raw];
}

type Parsed = { valueBeforeDecode: ArrayBuffer } | { valueBeforeDecodeView: Uint8Array };

/** Returns the bytes that a name or a number was parsed from. */
export function encodingOf(parsed: Parsed): Buffer {
  return Buffer.from(
    new Uint8Array('valueBeforeDecodeView' in parsed ? parsed.valueBeforeDecodeView : parsed.valueBeforeDecode),
  );
}
