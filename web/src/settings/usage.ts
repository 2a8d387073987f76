import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';
import { formatNumber, language } from '../language.ts';

export type Usage = AnswerOf<'GET', '/usage'>;
export type UsageDay = Usage['days'][number];

export const usageQuery = queryOptions({ queryKey: ['usage'], queryFn: () => api.get('/usage') });

const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats bytes in decimal units: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  if (power === 0) return `${formatNumber(bytes)} B`;
  const unit = units[power - 1] as string;
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(bytes / 1000 ** power);
}
