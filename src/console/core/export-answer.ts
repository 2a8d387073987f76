import { Readable } from 'node:stream';
import { type ExportFormat, exportFormats } from '../../http/log-export.ts';
import type { Query } from '../../http/page-request.ts';
import { savedAs } from '../../http/saved-as.ts';
import type { World } from '../../platform/world.ts';
import { RawAnswer } from './raw-answer.ts';
import { readOne } from './read-filter.ts';

const types: Record<ExportFormat, string> = { csv: 'text/csv; charset=utf-8', json: 'application/x-ndjson' };
const extensions: Record<ExportFormat, string> = { csv: 'csv', json: 'jsonl' };

/** Reads the parameter `format` of an export: `csv` (default), or `json` for one object a line. */
export function readExportFormat(query: Query): ExportFormat {
  const isFormat = (value: string) => exportFormats.some((each) => each === value);
  return (readOne(query, 'format', isFormat) ?? 'csv') as ExportFormat;
}

/** Answers with a log to save, while it is written. */
export function exportAnswer(
  { clock }: World,
  lines: AsyncGenerator<string>,
  { name, format }: { name: string; format: ExportFormat },
) {
  const day = clock.now().toISOString().slice(0, 10);
  return new RawAnswer(Readable.from(lines, { objectMode: false, highWaterMark: 65_536 }), {
    'content-type': types[format],
    'content-disposition': savedAs(`${name}-${day}`, extensions[format]),
    'cache-control': 'no-store',
  });
}
