import { expect, test } from 'vitest';
import { createLinkRules, nameInLink } from './store-link.ts';

const dropbox = createLinkRules({ hosts: null, allowPrivate: false });

test.for([
  ['https://www.dropbox.com/s/abc123/Lease%204.pdf?dl=0', 'https://www.dropbox.com/s/abc123/Lease%204.pdf?dl=1'],
  ['https://dropbox.com/s/abc123/a.pdf', 'https://dropbox.com/s/abc123/a.pdf?dl=1'],
  ['https://WWW.DROPBOX.COM/s/abc/a.pdf?raw=1#page', 'https://www.dropbox.com/s/abc/a.pdf?dl=1'],
  [
    'https://www.dropbox.com/scl/fi/abc/a.pdf?rlkey=k3y&st=s&dl=0',
    'https://www.dropbox.com/scl/fi/abc/a.pdf?rlkey=k3y&st=s&dl=1',
  ],
  ['https://dl.dropboxusercontent.com/s/abc/a.pdf', 'https://dl.dropboxusercontent.com/s/abc/a.pdf?dl=1'],
  [
    'https://dl.dropboxusercontent.com/scl/fi/abc/a.pdf?rlkey=k',
    'https://dl.dropboxusercontent.com/scl/fi/abc/a.pdf?rlkey=k&dl=1',
  ],
  ['https://dl.dropbox.com/s/abc/a.pdf', 'https://dl.dropbox.com/s/abc/a.pdf?dl=1'],
  ['https://dl.dropboxusercontent.com/1/view/t0k/a.pdf', 'https://dl.dropboxusercontent.com/1/view/t0k/a.pdf'],
  [
    'https://dl.dropboxusercontent.com/1/view/t0k/Client%20files/2026/Lease%204.pdf',
    'https://dl.dropboxusercontent.com/1/view/t0k/Client%20files/2026/Lease%204.pdf',
  ],
  ['https://dl.dropboxusercontent.com/apitl/1/t0k-_', 'https://dl.dropboxusercontent.com/apitl/1/t0k-_'],
  [
    'https://uc0f9a1.dl.dropboxusercontent.com/cd/0/get/t0k/file',
    'https://uc0f9a1.dl.dropboxusercontent.com/cd/0/get/t0k/file',
  ],
])('%s leads to one file', ([link, url]) => {
  expect(dropbox.check(link as string)).toEqual({ url });
});

test.for([
  'http://www.dropbox.com/s/abc/a.pdf',
  'https://www.dropbox.com/sh/abc/AAB',
  'https://www.dropbox.com/sh/abc/AAB/a.pdf?dl=0',
  'https://www.dropbox.com/scl/fo/abc/h?rlkey=k',
  'https://www.dropbox.com/scl/fi/abc/a.pdf',
  'https://www.dropbox.com/scl/fi/abc/a.pdf?rlkey=',
  'https://www.dropbox.com/t/abc',
  'https://www.dropbox.com/l/AAC/abc',
  'https://www.dropbox.com/l/scl/AAC/abc',
  'https://www.dropbox.com/home/a.pdf',
  'https://www.dropbox.com/1/view/t0k/a.pdf',
  'https://dl.dropboxusercontent.com/1/view/t0k',
  'https://dl.dropboxusercontent.com/1/view/t0k/',
  'https://dl.dropboxusercontent.com/1/view/t0k//a.pdf',
  'https://www.dropbox.com/cd/0/get/t0k/file',
  'https://www.dropbox.com/s/abc/a.pdf/',
  'https://www.dropbox.com//s/abc/a.pdf',
  'https://www.dropbox.com/s/../sh/abc',
  'https://db.tt/abc',
  'https://www.dropbox.com.example.com/s/abc/a.pdf',
  'https://wwwxdropbox.com/s/abc/a.pdf',
  'https://paper.dropbox.com/s/abc/a.pdf',
  'https://evil.dl.dropboxusercontent.com/cd/0/get/t0k/file',
  'https://uc0f9a1.dl.dropboxusercontent.com/s/abc/a.pdf',
  'https://user:pw@www.dropbox.com/s/abc/a.pdf',
  'https://www.dropbox.com:8443/s/abc/a.pdf',
  'https://drive.google.com/file/d/abc/view',
  ' https://www.dropbox.com/s/abc/a.pdf',
  'dropbox.com/s/abc/a.pdf',
  '',
])('%s is refused', (link) => {
  expect(dropbox.check(link)).toEqual({ refused: expect.any(String) });
});

test.for([
  ['https://uc0f9a1.dl.dropboxusercontent.com/anything', true],
  ['https://www.dropbox.com/login', true],
  ['https://uc0f9a1.dl.dropboxusercontent.com.example.com/', false],
  ['https://169.254.169.254/', false],
] as const)('whether a redirect may lead to %s: %s', ([url, may]) => {
  expect(dropbox.isStoreHost(new URL(url))).toBe(may);
});

test('a name is read where a link bears one', () => {
  const name = (path: string) => nameInLink(`https://www.dropbox.com${path}`);
  expect(name('/s/abc/Lease%204.pdf?dl=1')).toBe('Lease 4.pdf');
  expect(name('/scl/fi/abc/%C3%84.pdf?rlkey=k')).toBe('Ä.pdf');
  expect(name('/s/abc/100%.pdf')).toBe('100%.pdf');
  expect(name('/scl/fi/abc/My%20File%20%E2%9C%93%zz.pdf?rlkey=k')).toBe('My File ✓%zz.pdf');
  expect(name('/s/abc/Lease%20%FF.pdf')).toBe('Lease %FF.pdf');
  expect(name('/1/view/t0k/Client%20files/Lease%204.pdf')).toBe('Lease 4.pdf');
  expect(name('/cd/0/get/t0k/file')).toBe(null);
  expect(name('/apitl/1/t0k')).toBe(null);
});
