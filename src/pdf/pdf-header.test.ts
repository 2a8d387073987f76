import { expect, test } from 'vitest';
import { hasPdfHeader } from './pdf-header.ts';

const head = (text: string) => Buffer.from(text, 'latin1');
const pdf = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n';

test.for([
  ['nothing', ''],
  ['white space', '\r\n \0'],
  ['a byte order mark', '\xef\xbb\xbf'],
  ['a byte order mark and a line break', '\xef\xbb\xbf\r\n'],
  ['a line of text', 'Some junk before the header\n\n'],
  ['a line in UTF-8', 'Anhänge\n'],
  ['a line in which spaces follow', 'junk\r  '],
  ['headers of HTTP', 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n'],
  ['headers of MIME', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'],
  ['printer commands', '\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE = PDF\r\n'],
  ['the end of printer commands', '\x1b%-12345X'],
  ['a warning of a script', '<br />\n<b>Warning</b>: Undefined variable in <b>/a.php</b> on line <b>3</b><br />\n'],
] as const)('a header after %s begins a PDF', ([, before]) => {
  expect(hasPdfHeader(head(before + pdf))).toBe(true);
});

test.for([
  ['a ZIP archive', 'PK\x03\x04\x14\0\0\0\0\0!Za\0\0\0\0a.pdf'],
  ['a ZIP archive of a name with a line break', 'PK\x03\x04\x14\0\0\0\0\0!Za\0\0\0\0a\n'],
  ['a TAR archive', `a.pdf${'\0'.repeat(252)}ustar\x0000${'\0'.repeat(248)}`],
  ['an archive of ar', '!<arch>\na.pdf/          0           0     0     644     530       `\n'],
  ['a GIF', `GIF89a${'\0'.repeat(20)}`],
  ['a PNG', '\x89PNG\r\n\x1a\n'],
  ['a JPEG', '\xff\xd8\xff\xfe\0\x0a\n'],
  ['a compressed file', '\x1f\x8b\x08\0\n'],
  ['RTF', '{\\rtf1\\ansi\n'],
  ['PostScript', '%!PS-Adobe-3.0\n'],
  ['words in its line', 'a note: '],
  ['1,024 bytes', ' '.repeat(1020)],
] as const)('a header after %s begins no PDF', ([, before]) => {
  expect(hasPdfHeader(head(before + pdf))).toBe(false);
});

test('a file without a header is no PDF', () => {
  expect(hasPdfHeader(head(''))).toBe(false);
  expect(hasPdfHeader(head('%PDF'))).toBe(false);
});
