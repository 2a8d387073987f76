import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const read = (value: string) => readConfig({ OUTBOUND_PROXY_URL: value }).outboundProxyUrl;

test.each(['http://10.0.0.1:3128', 'https://proxy.example.com/', 'http://us%40er:pass@[::1]:8080'])(
  '%s is a proxy',
  (value) => {
    expect(read(value)).toBe(value);
  },
);

test.each([
  ...['socks5://proxy:1080', 'proxy:3128', 'proxy.example.com', 'http://', 'http://secret@proxy/path'],
  ...['http://proxy/?secret', 'http://proxy/#secret', 'http://us%zzer:secret@proxy', 'http://user:secret%@proxy'],
])('%s is no proxy, and the one line does not repeat it', (value) => {
  expect(() => read(value)).toThrow(/^bad setting OUTBOUND_PROXY_URL: it must [^\n]+$/);
  expect(() => read(value)).not.toThrow(/secret/);
});

test('without the setting there is no proxy', () => {
  expect([read(''), readConfig({ HTTP_PROXY: 'http://proxy:1' }).outboundProxyUrl]).toEqual([null, null]);
});
