import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Answer, type Company, call, createCompany } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type DriveEntry, driveError, nativePrefix } from './drive-double.ts';
import { type ImportService, importIds, importLinks, startImport, startImportService } from './import-service.ts';
import { expiredPage, type Hand, startStoreDouble } from './store-double.ts';

let app: ImportService;
let company: Company;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());

/** Returns the outcome of each file: `filed`, or why it failed. */
function outcomes({ status, body, text }: Answer): string[] {
  expect(status, text).toBe(201);
  const { items } = body as { items: Array<{ index: number; status: string; reason: string | null }> };
  expect(items.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  const filed = items.filter((item) => item.status === 'filed').length;
  expect(body).toMatchObject({ total_files: items.length, filed, failed: items.length - filed, remaining: 0 });
  return items.map((item) => item.reason ?? item.status);
}

beforeAll(async () => {
  company = await createCompany(app);
});

test('a link becomes a draft of type other, titled by its name, with the file attached and nobody to sign', async () => {
  const bytes = aPdf({ pages: 3 });
  const { status, body } = await importLinks(app, company, [app.store.share('Ångström & co.pdf', bytes)]);
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    object: 'import',
    id: expect.any(String),
    source: 'cloud_files',
    status: 'finished',
    total_files: 1,
    filed: 1,
    failed: 0,
    remaining: 0,
    created_at: app.clock.now().toISOString(),
    finished_at: app.clock.now().toISOString(),
    items: [
      {
        object: 'import_item',
        id: expect.any(String),
        index: 0,
        name: 'Ångström & co.pdf',
        status: 'filed',
        reason: null,
        document_id: expect.any(String),
        duplicate: false,
        bytes: bytes.length,
        pages: 3,
        unlock: null,
        created_at: app.clock.now().toISOString(),
        finished_at: app.clock.now().toISOString(),
      },
    ],
  });
  const { document_id: id } = body.items[0];
  const document = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect(document.body).toMatchObject({ type: 'other', status: 'draft', title: 'Ångström & co', recipient_count: 0 });
  const sent = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(sent.body.error.code).toBe('no_recipients');
  const [file] = await app.db.query<object>({
    name: '',
    text: 'select name, page_count, pages, is_signed from document_files where document_id = $1',
    values: [id],
  });
  const size = [612, 792];
  expect(file).toEqual({ name: 'Ångström & co.pdf', page_count: 3, pages: [size, size, size], is_signed: false });
});

test('every shape of link is followed to its file, with the name it goes by', async () => {
  const { store } = app;
  const shared = store.share('shared.pdf', aPdf());
  const links = [
    shared,
    store.at('/scl/fi/abc/second.pdf?rlkey=k&st=s&dl=0', aPdf()),
    store.at('/1/view/token/third.pdf', aPdf()),
    store.at('/cd/0/get/token/file', aPdf()),
    store.at('/apitl/1/token', aPdf()),
  ];
  const { body } = await importLinks(app, company, links);
  const names = (body.items as Array<{ name: string }>).map(({ name }) => name);
  expect(names).toEqual(['shared.pdf', 'second.pdf', 'third.pdf', 'from the header.pdf', 'from the header.pdf']);
  const second = store.requests.find((url) => url.startsWith('/scl/fi/abc/second.pdf'));
  expect(second).toBe('/scl/fi/abc/second.pdf?rlkey=k&st=s&dl=1');
});

test("the caller's name for a file comes before the link's, cleaned and bounded for the title", async () => {
  const wild = `\u202e${'ä'.repeat(250)}\n\u0007.PDF`;
  const files = [
    { url: app.store.share('a.pdf', aPdf()), name: 'Lease.pdf' },
    { url: app.store.share('b.pdf', aPdf()), name: wild },
    { url: app.store.share('c.pdf', aPdf()), name: ' \u200b ' },
  ];
  const { body } = await startImport(app, company, { source: 'cloud_files', files, unlock_doc: false });
  const titles = await Promise.all(
    (body.items as Array<{ document_id: string }>).map(async ({ document_id }) => {
      const document = await call(app, 'GET', `/documents/${document_id}`, { key: company.key });
      return document.body.title;
    }),
  );
  expect(titles).toEqual(['Lease', 'ä'.repeat(200), 'c']);
});

const page =
  (type: string, body: string, disposition?: string): Hand =>
  (response) => {
    response.writeHead(200, {
      'content-type': type,
      ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
    });
    response.end(body);
  };
const html = page('text/html', expiredPage);
const xhtml = '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y"><html/>';
const svg = '<?xml version="1.0"?>\n<!-- Made with Inkscape -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
const after = (before: string) => Buffer.concat([Buffer.from(before, 'latin1'), aPdf()]);
const status =
  (code: number, body = '{}', headers = {}): Hand =>
  (response) =>
    void response.writeHead(code, headers).end(body);
const cutAfter =
  (attempts: number, bytes: Buffer): Hand =>
  (response, attempt) => {
    response.writeHead(200, { 'content-length': bytes.length });
    if (attempt > attempts) return void response.end(bytes);
    response.write(bytes.subarray(0, 500), () => response.socket?.resetAndDestroy());
  };
/** Writes until the reader stops. */
const endless = (response: ServerResponse, first: Buffer) => {
  response.writeHead(200);
  const chunks = function* () {
    yield first;
    for (;;) yield Buffer.alloc(1_048_576, 'x');
  };
  pipeline(Readable.from(chunks()), response).catch(() => {}); // the reader has stopped
};

test.for<[what: string, outcome: string, hand: Hand | Buffer]>([
  ['an image called .pdf', 'unsupported_type', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['nothing at all', 'unsupported_type', Buffer.alloc(0)],
  ["the store's error page with status 200", 'link_expired', html],
  ["the store's error page as XHTML", 'link_expired', page('application/xhtml+xml; charset=utf-8', xhtml)],
  [
    "the store's error page after comments",
    'link_expired',
    page('text/html', `\ufeff \n<!-- ${'x'.repeat(900)} --> ${expiredPage}`),
  ],
  ['an HTML file', 'unsupported_type', Buffer.from(expiredPage)],
  [
    'an HTML file sent as text/html',
    'unsupported_type',
    page('text/html', expiredPage, 'attachment; filename="a.html"'),
  ],
  ['an HTML file shown inline', 'unsupported_type', page('text/html', expiredPage, 'inline; filename="a.html"')],
  ['an HTML file sent as text', 'unsupported_type', page('text/plain; charset=utf-8', expiredPage)],
  ['an XHTML file', 'unsupported_type', Buffer.from(xhtml)],
  ['an SVG file', 'unsupported_type', page('image/svg+xml', svg)],
  ['an SVG file sent as text/html', 'unsupported_type', page('text/html', svg)],
  ['an XML file', 'unsupported_type', page('application/xml', '<?xml version="1.0"?><!-- x --><invoice/>')],
  [
    'a PDF whatever it is said to be',
    'filed',
    (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(aPdf()),
  ],
  ['a PDF with junk before it', 'filed', after('junk\n')],
  ['a PDF with headers of HTTP before it', 'filed', after('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n')],
  ['a ZIP archive that stores a PDF', 'unsupported_type', after('PK\x03\x04\x0a\0\0\0\0\0!Za\0\0\0\0a.pdf')],
  ['a TAR archive of a PDF', 'unsupported_type', after(`a.pdf${'\0'.repeat(252)}ustar\x0000${'\0'.repeat(248)}`)],
  ['a GIF that holds a PDF', 'unsupported_type', after(`GIF89a${'\0'.repeat(20)}`)],
  ['a text that mentions a header', 'unsupported_type', Buffer.from('a note: %PDF-1.4')],
  ['a PDF that does not open', 'invalid_pdf', Buffer.from('%PDF-1.7\nbut nothing of it is one')],
  ['a PDF cut short', 'invalid_pdf', aPdf({ bytes: 50_000 }).subarray(0, 200)],
  ['410', 'link_expired', status(410)],
  ['404', 'link_expired', status(404)],
  ['403', 'permission_denied', status(403)],
  ['418', 'download_failed', status(418)],
  ['a part of a file', 'download_failed', (response) => void response.writeHead(206).end(aPdf())],
  ['429 with a page', 'link_expired', status(429, expiredPage)],
  [
    'a store that asks for patience once',
    'filed',
    (response, attempt) =>
      attempt === 1 ? void response.writeHead(429, { 'retry-after': '0' }).end('{}') : void response.end(aPdf()),
  ],
  [
    'a store that asks for more patience than there is',
    'source_unavailable',
    status(503, '', { 'retry-after': '3600' }),
  ],
  ['a connection that breaks once', 'filed', cutAfter(1, aPdf({ bytes: 100_000 }))],
  ['a connection that keeps breaking', 'download_failed', cutAfter(9, aPdf({ bytes: 100_000 }))],
  ['a length that is too large', 'too_large', status(200, '%PDF-', { 'content-length': 157_286_401 })],
  ['an endless PDF that is told to be small', 'too_large', (response) => endless(response, Buffer.from('%PDF-1.4\n'))],
  ['endless noise', 'unsupported_type', (response) => endless(response, Buffer.alloc(10))],
  [
    'a redirect without end',
    'download_failed',
    (response, _, request) => void response.writeHead(302, { location: request.url ?? '' }).end(),
  ],
  ['a redirect to nowhere', 'download_failed', status(302, '', { location: 'http://' })],
  ['a redirect out of the store', 'download_failed', status(302, '', { location: 'http://example.com/x.pdf' })],
])('a link to %s: %s', async ([, outcome, hand]) => {
  expect(outcomes(await importLinks(app, company, [app.store.share('a.pdf', hand)]))).toEqual([outcome]);
});

test('a redirect to another host of this network is not followed, though it is one that answers', async () => {
  const other = await startStoreDouble();
  onTestFinished(() => other.stop());
  const inside = other.at('/s/inside/secret.pdf', aPdf());
  const link = app.store.share('a.pdf', status(302, '', { location: inside }));
  expect(outcomes(await importLinks(app, company, [link]))).toEqual(['download_failed']);
  expect(other.requests).toEqual([]);
});

const native = (kind: string, bytes = aPdf()): DriveEntry => ({ mimeType: nativePrefix + kind, name: kind, bytes });
const refuses =
  (code: number, reason: string, times = 99): NonNullable<DriveEntry['gives']> =>
  (response, attempt) =>
    attempt <= times ? driveError(response, code, reason, { 'retry-after': '0' }) : false;

test.for<[what: string, outcome: string, entry: DriveEntry]>([
  ['PDF', 'filed', { bytes: aPdf() }],
  ['PDF whatever its type', 'filed', { mimeType: 'image/png', name: 'a.png', bytes: aPdf() }],
  ['image whatever its type', 'unsupported_type', { bytes: Buffer.from('\x89PNG') }],
  ['page of HTML', 'unsupported_type', { bytes: Buffer.from(expiredPage) }],
  ['document', 'filed', native('document')],
  ['spreadsheet', 'filed', native('spreadsheet')],
  ['presentation', 'filed', native('presentation')],
  ['drawing', 'unsupported_type', native('drawing')],
  ['folder', 'unsupported_type', native('folder')],
  ['shortcut', 'unsupported_type', native('shortcut')],
  ['document that exports to more than 10 MB', 'export_too_large', native('document', aPdf({ bytes: 11_000_000 }))],
  [
    'export that grows beyond 10 MB as it comes',
    'export_too_large',
    { ...native('document'), gives: (response) => endless(response, Buffer.from('%PDF-1.4\n')) },
  ],
  ['file said to be too large', 'too_large', { bytes: aPdf(), size: '157286401' }],
  [
    'file said to be small that is not',
    'too_large',
    { bytes: aPdf(), size: '10', gives: (response) => endless(response, Buffer.from('%PDF-1.4\n')) },
  ],
  ['file in the bin', 'not_found', { bytes: aPdf(), trashed: true }],
  ['file that may not be downloaded', 'permission_denied', { bytes: aPdf(), canDownload: false }],
  ['file of somebody else', 'permission_denied', { looks: refuses(403, 'insufficientFilePermissions') }],
  ['file the application may not see', 'permission_denied', { looks: refuses(403, 'appNotAuthorizedToFile') }],
  ['file that is abusive', 'permission_denied', { bytes: aPdf(), gives: refuses(403, 'cannotDownloadAbusiveFile') }],
  ['file gone between the look and the download', 'not_found', { bytes: aPdf(), gives: refuses(404, 'notFound') }],
  [
    'token that ends between the look and the download',
    'permission_denied',
    { bytes: aPdf(), gives: refuses(401, 'authError') },
  ],
  [
    'drive that limits the rate for a moment',
    'filed',
    { bytes: aPdf(), looks: refuses(403, 'rateLimitExceeded', 2), gives: refuses(429, 'rateLimitExceeded', 2) },
  ],
  [
    'drive that limits a user for a moment',
    'filed',
    { bytes: aPdf(), gives: refuses(403, 'userRateLimitExceeded', 1) },
  ],
  [
    'drive that fails for a moment',
    'filed',
    { bytes: aPdf(), looks: refuses(500, 'backendError', 1), gives: refuses(503, 'backendError', 1) },
  ],
  ['drive that keeps failing', 'source_unavailable', { bytes: aPdf(), gives: refuses(500, 'backendError') }],
  ['answer that is no JSON', 'source_unavailable', { looks: (response) => void response.end('<html>') }],
])('a drive file that is a %s: %s', async ([, outcome, entry], { task }) => {
  const id = app.drive.add(`file-${task.id.replaceAll(/[^A-Za-z0-9]/g, '')}`, entry);
  const fine = app.drive.add(`${id}-beside`, { bytes: aPdf() });
  expect(outcomes(await importIds(app, company, [id, fine]))).toEqual([outcome, 'filed']);
});

test('one failing file stops no other, and the items come in the order sent', async () => {
  const { drive } = app;
  const ids = Array.from({ length: 25 }, (_, index) => {
    const isGood = index % 3 !== 0;
    return drive.add(`many-${index}`, { name: `Page ${index}`, bytes: isGood ? aPdf() : Buffer.from('no') });
  });
  const answer = await importIds(app, company, ids);
  expect(outcomes(answer)).toEqual(ids.map((_, index) => (index % 3 !== 0 ? 'filed' : 'unsupported_type')));
  const names = (answer.body.items as Array<{ name: string }>).map(({ name }) => name);
  expect(names).toEqual(ids.map((_, index) => `Page ${index}`));
});

test('unlocking is asked for unless it is declined, and skipped for a file that fails', async () => {
  const files = [{ url: app.store.share('a.pdf', aPdf()) }, { url: app.store.share('b.pdf', Buffer.from('no')) }];
  const skipped = { status: 'skipped', pages: null, credits: 0, reason: null };
  for (const [index, extra] of [{}, { unlock_doc: true }, { unlock_doc: null }].entries()) {
    const { body } = await startImport(app, company, { source: 'cloud_files', files, ...extra });
    const unlocked = { status: 'unlocked', pages: 1, credits: index === 0 ? 1 : 0, reason: null };
    expect((body.items as Array<{ unlock: unknown }>).map(({ unlock }) => unlock)).toEqual([unlocked, skipped]);
  }
});
