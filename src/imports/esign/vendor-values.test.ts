import { expect, test } from 'vitest';
import { instant } from './vendor-values.ts';

test('times of the vendor, whatever zone this machine is in', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'America/New_York';
  try {
    expect(instant('2024-01-01T10:20:30.1234567Z')).toBe('2024-01-01T10:20:30.123Z');
    expect(instant('2024-01-01T10:20:30+02:00')).toBe('2024-01-01T08:20:30.000Z');
    expect(instant('2024-01-01T00:00:00')).toBe('2024-01-01T00:00:00.000Z');
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('what is no time is null', () => {
  for (const given of [
    '2024-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2024-01-01',
    'yesterday',
    '',
    7,
    null,
    undefined,
  ]) {
    expect(instant(given), String(given)).toBeNull();
  }
});
