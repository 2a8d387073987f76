import { expect, test } from 'vitest';
import { readHostName, unicodeHost } from './host-name.ts';

const read = (text: string) => readHostName(text, 'sign.service.example');

test('a host name is read as DNS has it', () => {
  for (const [typed, host] of [
    ['documents.acme.example', 'documents.acme.example'],
    ['  Documents.ACME.Example. ', 'documents.acme.example'],
    ['acme.example', 'acme.example'],
    ['acme.co.uk', 'acme.co.uk'],
    ['firma.bücher.example', 'firma.xn--bcher-kva.example'],
    ['FIRMA.BÜCHER.example', 'firma.xn--bcher-kva.example'],
    ['firma.xn--bcher-kva.example', 'firma.xn--bcher-kva.example'],
    ['документы.example', 'xn--d1acoigc6ae0f.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    ['other-sign.service.example', 'other-sign.service.example'],
  ] as const) {
    expect(read(typed), typed).toEqual({ host });
  }
});

test('what cannot be a company’s own host is refused with its reason', () => {
  const invalid = [
    ...[
      '',
      ' ',
      '.',
      'a..example',
      '.acme.example',
      'acme.example..',
      'https://documents.acme.example',
      'acme.example/x',
    ],
    ...[
      'acme.example:443',
      'user@acme.example',
      '*.acme.example',
      'documents_1.acme.example',
      '_countersign.acme.example',
    ],
    ...['-a.example', 'a-.example', 'ab--cd.example', 'a b.example', 'a\0b.example', 'a\r\nb.example', 'a%2eb.example'],
    ...['127.0.0.1', '127.1', '0x7f.1', '[::1]', '::1', '１２７.0.0.1', 'acme.123', 'acme.0x1'],
    ...['acme.localhost', 'printer.local', 'x.onion', '1.0.0.127.in-addr.arpa', 'xn--.example', 'xn--a.example'],
    ...[`${'a'.repeat(64)}.example`, `${'a.'.repeat(124)}example`, 'documents.acme.example\u202e', 'a\u200db.example'],
  ];
  for (const text of invalid) expect(read(text), JSON.stringify(text)).toEqual({ fault: 'invalid' });
  for (const text of ['acme', '2130706433', 'co.uk', 'com.au', 'github.io', 'HEROKUAPP.com.']) {
    expect(read(text), text).toEqual({ fault: 'too_short' });
  }
  for (const text of ['sign.service.example', 'SIGN.service.example.', 'a.sign.service.example', 'service.example']) {
    expect(read(text), text).toEqual({ fault: 'ours' });
  }
});

test('a host is shown in Unicode only where it looks like no other name', () => {
  expect(unicodeHost('documents.acme.example')).toBe(null);
  expect(unicodeHost('firma.xn--bcher-kva.example')).toBe('firma.bücher.example');
  // Cyrillic letters that look like `apple`, and a label of two scripts.
  expect(unicodeHost('xn--80ak6aa92e.example')).toBe(null);
  expect(unicodeHost('xn--pple-43d.example')).toBe(null);
});
