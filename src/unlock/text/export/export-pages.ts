import { Readable } from 'node:stream';
import type { UnlockedPage } from '../../blocks.ts';
import { htmlEnd, htmlPage, htmlStart } from './to-html.ts';
import { jsonEnd, jsonPage, jsonStart } from './to-json.ts';
import { markdownPage } from './to-markdown.ts';

export const exportFormats = ['md', 'html', 'json'] as const;

export type ExportFormat = (typeof exportFormats)[number];

interface Writer {
  start(title: string): string;
  page(page: UnlockedPage): string;
  end: string;
}

/* biome-ignore format: a table reads as a table */
const writers: Record<ExportFormat, Writer> = {
  md:   { start: () => '',  page: markdownPage, end: '' },
  html: { start: htmlStart, page: htmlPage,     end: htmlEnd },
  json: { start: jsonStart, page: jsonPage,     end: jsonEnd },
};

/** Exports an unlocked document as Markdown, HTML or JSON. Works page by page, so that a book is never in memory as a whole. */
export async function* exportPages(
  format: ExportFormat,
  title: string,
  pages: AsyncIterable<UnlockedPage>,
): AsyncGenerator<string> {
  const { start, page, end } = writers[format];
  yield start(title);
  for await (const each of pages) yield page(each);
  yield end;
}

/** Exports an unlocked document as a stream of bytes. */
export function exportStream(format: ExportFormat, title: string, pages: AsyncIterable<UnlockedPage>): Readable {
  return Readable.from(encoded(exportPages(format, title, pages)), { objectMode: false });
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of parts) if (part !== '') yield Buffer.from(part);
}
