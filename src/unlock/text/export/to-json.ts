import type { UnlockedPage } from '../../blocks.ts';

/** Returns the start of `{ "title": …, "pages": [ … ] }`. Each page is one line. `blocks.ts` describes it. */
export function jsonStart(title: string): string {
  return `{"title":${JSON.stringify(title)},"pages":[`;
}

export function jsonPage(page: UnlockedPage): string {
  return `${page.page === 1 ? '' : ','}\n${JSON.stringify(page)}`;
}

export const jsonEnd = '\n]}\n';
