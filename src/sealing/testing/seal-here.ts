import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSigningCertificate } from '../../pdf/signatures/signing-certificate.ts';
import { systemRandom } from '../../platform/random.ts';
import type { SealInput } from '../seal-input.ts';
import { sealPdf } from '../seal-pdf.ts';
import { temporaryDirectory } from './tools.ts';

const clock = { now: () => new Date('2026-03-01T00:00:00Z') };

/** Seals a file in this process instead of a PDF process, which takes longer to start than many seals. */
export async function sealHere(input: SealInput, file: Uint8Array): Promise<Buffer> {
  const directory = temporaryDirectory();
  const { file: path, password } = await ensureSigningCertificate({
    dataDir: directory,
    password: 'test',
    clock,
    random: systemRandom,
  });
  const files = { source: join(directory, 'source.pdf'), output: join(directory, 'sealed.pdf') };
  writeFileSync(files.source, file);
  await sealPdf(input, files, { bytes: readFileSync(path), password }, null);
  return readFileSync(files.output);
}
