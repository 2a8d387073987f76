import type { ReactNode } from 'react';
import { formatNumber } from '../language.ts';

/** Names with their values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="font-medium wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The server stops counting here. */
const countMax = 10_000;

/** `10,000+` for more than the server counts. */
export function formatCount(n: number): string {
  return n > countMax ? `${formatNumber(countMax)}+` : formatNumber(n);
}
