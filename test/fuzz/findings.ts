import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(import.meta.dirname, 'findings');

/** Keeps an input under the name of its target. Returns the path. */
export function keepFinding(target: string, input: Uint8Array): string {
  mkdirSync(join(directory, target), { recursive: true });
  const path = join(directory, target, createHash('sha256').update(input).digest('hex').slice(0, 16));
  writeFileSync(path, input);
  return path;
}

/** The inputs that once broke a target. */
export function keptFindings(target: string): Array<{ name: string; input: Buffer }> {
  const from = join(directory, target);
  if (!existsSync(from)) return [];
  return readdirSync(from).map((name) => ({ name, input: readFileSync(join(from, name)) }));
}
