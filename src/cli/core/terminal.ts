import type { Command } from 'commander';
import { oneLine, visibleJson } from '../../platform/visible-text.ts';

export { oneLine } from '../../platform/visible-text.ts';

/** Prints a result: exactly one JSON value with `--json`, else text. */
export function answer<Value>(command: Command, value: Value, forPeople: (value: Value) => string): void {
  process.stdout.write(wantsJson(command) ? `${visibleJson(value)}\n` : forPeople(value));
}

export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals().json === true;
}

/** Prints a note to stderr, next to the result. Scripts may ignore it. */
export function remark(text: string): void {
  process.stderr.write(`countersign: ${oneLine(text)}\n`);
}

/** Formats one field per line: `display_name  Acme`. */
export function card(fields: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`)
    .join('');
}

/** Formats one row per line under headings. Put free text in the last column, which is not padded. */
export function table(rows: ReadonlyArray<Record<string, unknown>>, whenEmpty: string): string {
  const first = rows[0];
  if (first === undefined) return `${whenEmpty}\n`;
  const names = Object.keys(first);
  const lines = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column] as number))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Like `oneLine`, but keeps line breaks. */
export function lines(text: string, indent: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `${indent}${oneLine(line)}`.trimEnd())
    .join('\n');
}
