import { expect, test } from 'vitest';
import { readEmbedOrigin } from './embed-origins.ts';

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  [' https://APP.example.com/ ', 'https://app.example.com'],
  ['https://app.example.com:8443', 'https://app.example.com:8443'],
  ['https://app.example.com:443', 'https://app.example.com'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
])('%j may show signing pages as %s', (text, origin) => {
  expect(readEmbedOrigin(text)).toBe(origin);
});

test.each([
  '',
  '*',
  'null',
  'app.example.com',
  'http://app.example.com',
  'http://localhost.example.com',
  'https://*.example.com',
  'https://app.example.com/path',
  'https://app.example.com?a',
  'https://app.example.com#a',
  'https://ada@app.example.com',
  'https://app.example.com; script-src *',
  'https://app.example.com;frame-src',
  'https://app.example.com,https://other.example',
  "https://app.example.com'self'",
  'https://app.exa\nmple.com',
  'https:\\\\app.example.com',
  'https://[::1]',
  'javascript:alert(1)',
  'data:text/html,x',
  `https://${'a'.repeat(400)}.example`,
])('%j may not', (text) => {
  expect(readEmbedOrigin(text)).toBeNull();
});
