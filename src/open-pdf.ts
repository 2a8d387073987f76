import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { OperatorError } from './errors.ts';
import type { Stops } from './parts.ts';
import { ensureSigningCertificate } from './pdf/signatures/signing-certificate.ts';
import type { CertificateSummary } from './pdf/signatures/signing-certificate-rules.ts';
import { openSigningKey } from './pdf/signing-key/open-signing-key.ts';
import { SigningKeyError } from './pdf/signing-key/signing-key.ts';
import type { World } from './platform/world.ts';
import { createPdfWorker, type PdfWorker, type SealProcesses } from './sealing/pdf-worker.ts';

/** Opens what seals documents: with the certificate of the settings, or with the service's own, made at the first start. */
export async function openPdf(
  config: Config,
  world: World,
  { secretKey, shared }: { secretKey: Buffer; shared: SealProcesses | undefined },
  stops: Stops,
): Promise<PdfWorker> {
  const certificate =
    config.signingCertificate ??
    (await ensureSigningCertificate({
      dataDir: config.dataDir,
      password: certificatePassword(secretKey),
      previousPassword: config.previousSecretKey && certificatePassword(config.previousSecretKey),
      clock: world.clock,
      random: world.random,
    }));
  // The certificate that the service makes for itself names no authority to ask.
  const network = config.tsaUrl !== null || config.signingCertificate !== null;
  const pdf = createPdfWorker({
    certificate,
    signingKey: config.signingKey && (await openSigningKey(config.signingKey)),
    certificatesDir: join(config.dataDir, 'certificates'),
    tsaUrl: config.tsaUrl,
    network,
    ...(shared !== undefined && !network && config.signingKey === null && { shared }),
    processes: 1,
    timeoutMs: 60_000,
    memoryMaxBytes: 1536 * 1024 * 1024, // an attached file may have 150 MB
    log: world.log,
    clock: world.clock,
  });
  stops.push(() => pdf.close());
  return pdf;
}

/** The password of the certificate that the service made for itself. */
export function certificatePassword(secretKey: Buffer): string {
  return createHmac('sha256', secretKey).update('signing certificate').digest('base64url');
}

/**
 * Signs a test page. Throws an `OperatorError` of one line when documents cannot be sealed. A certificate of the operator's own
 * is named by its settings, the one we made by its file.
 */
export async function checkCertificate(
  pdf: PdfWorker,
  { signingCertificate, signingKey }: Pick<Config, 'signingCertificate' | 'signingKey'>,
): Promise<CertificateSummary> {
  try {
    return await pdf.checkCertificate();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (signingCertificate === null) throw explainOwnCertificate(error);
    if (error.cause instanceof SigningKeyError)
      throw new OperatorError(`SIGNING_KEY: ${error.message}`, { cause: error });
    const other = signingKey === null ? 'SIGNING_CERT_PASSWORD' : 'SIGNING_KEY';
    throw new OperatorError(`bad setting SIGNING_CERT_FILE or ${other}: ${error.message}`, { cause: error });
  }
}

/** What SECRET_KEY was at the first start encrypts it. */
function explainOwnCertificate(error: OperatorError): OperatorError {
  if (!error.message.endsWith('the password is wrong')) return error;
  const advice = 'it was made under another SECRET_KEY: set that one, or both, that one as SECRET_KEY_PREVIOUS';
  return new OperatorError(`${error.message}; ${advice}`, { cause: error });
}
