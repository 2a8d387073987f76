import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSigningCertificate } from '../../pdf/signatures/signing-certificate.ts';
import { systemRandom } from '../../platform/random.ts';
import type { SealInput } from '../seal-input.ts';
import { sealPdf } from '../seal-pdf.ts';
import { temporaryDirectory } from './tools.ts';

const clock = { now: () => new Date('2026-03-01T00:00:00Z') };

/**
 * Seals a document, with its attached file if there is one, in this process instead of a PDF process, which takes longer to
 * start than many seals.
 */
export async function sealHere(
  input: SealInput,
  file: Uint8Array | null,
  tsaUrl: string | null = null,
): Promise<Buffer> {
  const directory = temporaryDirectory();
  const { file: path, password } = await ensureSigningCertificate({
    dataDir: directory,
    password: 'test',
    clock,
    random: systemRandom,
  });
  const [source, output] = [join(directory, 'source.pdf'), join(directory, 'sealed.pdf')];
  if (file !== null) writeFileSync(source, file);
  const files = { source: file === null ? null : source, output };
  await sealPdf(input, files, { bytes: readFileSync(path), password }, tsaUrl);
  return readFileSync(output);
}
