import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Examined } from './examine-file.ts';

/** All that sealing embeds (`signing/load-seal-input.ts`, `world/pdf/attached/seal-file.ts`); nothing else is taken out. */
export const embeddedNames = [
  'certificate.pdf',
  'content.json',
  'audit.json',
  'values.json',
  'file.json',
  'attached.pdf',
] as const;

export interface Extracted {
  name: string;
  bytes: number;
}

/** Saves what is embedded into a directory. Throws, and replaces nothing, where a name is taken. */
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
