import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for an e-signature vendor in its own process. `POST /set` sets the number of envelopes, which are generated
 * on request: one is completed each second, and each has a different PDF. `GET /set` returns how long its callers have
 * waited.
 */
const firstCompletedAt = Date.UTC(2020, 0, 1);
const settings = { envelopes: 0, delayMs: 0, pdfBytes: 50_000 };
let waiting = 0;
let waitedMs = 0;
let lastChangeAt = performance.now();

function count(change: 1 | -1): void {
  const now = performance.now();
  waitedMs += waiting * (now - lastChangeAt);
  lastChangeAt = now;
  waiting += change;
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

function timeOf(index: number): string {
  return new Date(firstCompletedAt + index * 1000).toISOString().replace('Z', '0000Z');
}

function listed(index: number): object {
  const at = timeOf(index);
  const signer = (order: number) => ({
    name: `Signer ${order} of ${index}`,
    email: `signer-${order}@example.com`,
    routingOrder: String(order),
    status: 'completed',
    sentDateTime: at,
    deliveredDateTime: at,
    signedDateTime: at,
  });
  return {
    envelopeId: idOf(index),
    status: 'completed',
    emailSubject: `Agreement ${index}`,
    sentDateTime: at,
    completedDateTime: at,
    recipients: { signers: [signer(1), signer(2)], carbonCopies: [] },
  };
}

function list(query: URLSearchParams, response: ServerResponse): void {
  const from = Math.ceil((Date.parse(query.get('from_date') ?? '') - firstCompletedAt) / 1000);
  const first = Math.max(from, 0) + Number(query.get('start_position'));
  const total = Math.max(settings.envelopes - Math.max(from, 0), 0);
  const size = Math.max(Math.min(Number(query.get('count')), settings.envelopes - first), 0);
  const envelopes = Array.from({ length: size }, (_, offset) => listed(first + offset));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ resultSetSize: String(size), totalSetSize: String(total), envelopes }));
}

const padding = Buffer.alloc(1 << 20, 'n');

function pdfOf(id: string): Buffer {
  const { pdfBytes } = settings;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    `<< /Length ${pdfBytes} >>\nstream\n${padding.toString('latin1', 0, pdfBytes)}\nendstream`,
  ];
  const offsets: number[] = [];
  let text = `%PDF-1.4\n% envelope ${id}\n`;
  objects.forEach((object, index) => {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const xref = `xref\n0 5\n0000000000 65535 f \n${entries}trailer\n<< /Size 5 /Root 1 0 R >>\n`;
  return Buffer.from(`${text}${xref}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://vendor');
  if (url.pathname === '/set') {
    Object.assign(settings, Object.fromEntries([...url.searchParams].map(([name, value]) => [name, Number(value)])));
    count(1);
    count(-1);
    response.end(JSON.stringify({ waitedMs }));
    waitedMs = 0;
    return;
  }
  const [, id] = /\/envelopes\/([^/]+)\/documents\/combined$/.exec(url.pathname) ?? [];
  if (id === undefined) return list(url.searchParams, response);
  count(1);
  response.once('close', () => count(-1));
  setTimeout(() => {
    const pdf = pdfOf(id);
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': pdf.length }).end(pdf);
  }, settings.delayMs);
});
server.listen(0, '127.0.0.1', () => console.log(`ready ${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit());
