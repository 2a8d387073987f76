import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The colours and fonts of all pages. Every page loads them first. */
export const tokensCss: string = join(import.meta.dirname, 'styles/tokens.css');

/** What the documentation, `/verify` and the sign-in pages share. */
export const themeCss: string = join(import.meta.dirname, 'styles/theme.css');

/** Joins stylesheets, without comments on lines of their own. Others stay, because a string may contain the same characters. */
export function readStylesheets(...paths: string[]): string {
  const source = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
  return source
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*\n/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}
