import type { X509Certificate } from 'node:crypto';
import { Certificate } from 'pkijs';

/** Returns the issuer and the serial number of a certificate, each with the bytes of the certificate. */
export function issuerAndSerial({ raw }: X509Certificate): [issuer: Buffer, serial: Buffer] {
  const { issuer, serialNumber } = Certificate.fromBER(raw);
  return [encodingOf(issuer), encodingOf(serialNumber)];
}

type Parsed = { valueBeforeDecode: ArrayBuffer } | { valueBeforeDecodeView: Uint8Array };

/** Returns the bytes that a name or a number was parsed from. */
export function encodingOf(parsed: Parsed): Buffer {
  return Buffer.from(
    new Uint8Array('valueBeforeDecodeView' in parsed ? parsed.valueBeforeDecodeView : parsed.valueBeforeDecode),
  );
}
