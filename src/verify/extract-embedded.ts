import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Examined } from './examine-file.ts';

/** The files that sealing embeds (`signing/load-seal-input.ts`, `sealing/attached/seal-file.ts`). No others are extracted. */
export const embeddedNames = [
  'certificate.pdf',
  'content.json',
  'audit.json',
  'values.json',
  'attestations.json',
  'file.json',
  'attached.pdf',
] as const;

export interface Extracted {
  name: string;
  bytes: number;
}

/** Saves the embedded files in a directory. Throws when a file of that name exists, and never replaces one. */
export async function extractEmbedded({ attachment }: Examined, directory: string): Promise<Extracted[]> {
  const extracted: Extracted[] = [];
  for (const name of embeddedNames) {
    const bytes = attachment(name);
    if (bytes === null) continue;
    await writeFile(join(directory, name), bytes, { flag: 'wx' });
    extracted.push({ name, bytes: bytes.length });
  }
  return extracted;
}
