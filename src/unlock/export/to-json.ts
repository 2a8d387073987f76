import type { UnlockedPage } from '../blocks.ts';

/** `{ "title": …, "pages": [ … ] }`, a line for each page; see blocks.ts for what is in one. */
export function jsonStart(title: string): string {
  return `{"title":${JSON.stringify(title)},"pages":[`;
}

export function jsonPage(page: UnlockedPage): string {
  return `${page.page === 1 ? '' : ','}\n${JSON.stringify(page)}`;
}

export const jsonEnd = '\n]}\n';
