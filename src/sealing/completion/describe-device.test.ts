import { expect, test } from 'vitest';
import { describeDevice } from './describe-device.ts';
import { exactTime, longTime } from './times.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    'Edge 138, Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'Chrome 138, Android',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140, macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
    'Safari 18, iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
    'Chrome 138, iPad',
  ],
  ['Something on Linux', 'Linux'],
  ['curl/8.5.0', null],
  ['', null],
])('a device is named by browser and system: %s', (userAgent, expected) => {
  expect(describeDevice(userAgent)).toBe(expected);
});

test('times are in UTC, in the format of the language', () => {
  expect(longTime('2026-03-14T23:59:59.999Z', 'en')).toBe('March 14, 2026, 23:59:59 UTC');
  expect(longTime('2026-03-14T23:30:00-05:00', 'es')).toBe('15 de marzo de 2026, 04:30:00 UTC');
  expect(exactTime('2026-03-14T10:22:31.045678Z')).toBe('2026-03-14 10:22:31.045');
});
