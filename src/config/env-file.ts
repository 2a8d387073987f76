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
 * Adds the settings of a file such as `.env` to `env`, whose own win. Does nothing if there is no such file. `onConcern` gets a
 * sentence for each line that is probably not read as it was meant. Throws an `OperatorError` if the file can't be read or is not
 * UTF-8 text, with or without a byte order mark.
 */
export function addEnvFile(env: Environment, file: string, onConcern: (concern: string) => void = () => {}): void {
  const text = readText(file);
  if (text === null) return;
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
  for (const { line, problem } of findMisread(text)) onConcern(`line ${line} of ${file} ${problem}`);
}

const isName = /^[A-Za-z_]\w*$/;
/** A name, and a value without quotation marks up to a `#` that no space precedes. */
const cutOff = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(?:[^\S\n]*([^"'`\s#](?:[^#\n]*[^\s#])?))?#/;

/** Lines are named by their number only, because they may hold secrets. */
function findMisread(text: string): { line: number; problem: string }[] {
  const lines = text.split('\n');
  const read = parseEnv(text);
  return lines.flatMap((content, index) => {
    const problem = problemOf(content, read, () => parseEnv(lines.toSpliced(index, 1).join('\n')));
    return problem === null ? [] : [{ line: index + 1, problem }];
  });
}

/** `readWithout` reads the file without the line: a line of a value that has several lines looks like no setting either. */
function problemOf(content: string, read: Environment, readWithout: () => Environment): string | null {
  if (/^\s*(?:#|$)/.test(content)) return null;
  const [, name = '', value = ''] = cutOff.exec(content) ?? [];
  if (read[name] === value)
    return 'has # in a value without quotation marks: what follows is not read, so put the value in quotation marks';
  const names = Object.keys(parseEnv(content));
  if (names.length > 0 && names.every((name) => isName.test(name))) return null;
  const isUsed = JSON.stringify(named(read)) !== JSON.stringify(named(readWithout()));
  return isUsed ? null : 'is no setting: write NAME=value';
}

function named(read: Environment): [string, string | undefined][] {
  return Object.entries(read).filter(([name]) => isName.test(name));
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
