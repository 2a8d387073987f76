import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors.ts';
import type { Environment } from './setting-reader.ts';

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
};

/**
 * Adds the settings of a file such as `.env` to `env`, whose own win. Does nothing if there is no such file. Throws an
 * `OperatorError` if it can't be read or is not UTF-8 text, with or without a byte order mark.
 */
export function addEnvFile(env: Environment, file: string): void {
  const text = readText(file);
  if (text === null) return;
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

function readText(file: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new OperatorError(`cannot read ${file}: ${reasons[code] ?? message}`);
  }
  // Text in UTF-16 has bytes of 0.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new OperatorError(`cannot read ${file}: it is not UTF-8 text`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
