import { queryOptions } from '@tanstack/react-query';
import type { UsageDay } from '../../../src/usage/read-usage.ts';
import { api } from '../api/client.ts';
import { formatNumber, language } from '../language.ts';

export type { UsageDay };

/** Answer of `GET /usage`. */
export interface Usage {
  tier: string | null;
  plan: {
    api: boolean;
    burst_per_minute: number;
    requests_per_day: number;
    import_files_per_day: number;
    import_bytes_per_month: number;
    credits_per_month: number;
    self_serve: boolean;
  } | null;
  used: {
    requests_this_minute: number;
    requests_today: number;
    import_files_today: number;
    import_bytes_this_month: number;
    import_bytes_reserved: number;
  };
  credits: { balance: number; due: number };
  /** Thirty days, today last. */
  days: UsageDay[];
}

export const usageQuery = queryOptions({ queryKey: ['usage'], queryFn: () => api.get<Usage>('/usage') });

const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats bytes in decimal units: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  if (power === 0) return `${formatNumber(bytes)} B`;
  const unit = units[power - 1] as string;
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(bytes / 1000 ** power);
}
