import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * A file store in its own process. `/s/<number>/<bytes>.pdf` is a PDF with one page and about this many bytes, different
 * for each number, generated while it is sent.
 */
const noise = randomBytes(1 << 20);

function* aPdf(number: number, bytes: number): Generator<Buffer> {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ];
  const offsets: number[] = [];
  let head = `%PDF-1.4\n% file ${number}\n`;
  objects.forEach((object, index) => {
    offsets.push(head.length);
    head += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  offsets.push(head.length);
  head += `4 0 obj\n<< /Length ${bytes} >>\nstream\n`;
  yield Buffer.from(head);
  for (let left = bytes; left > 0; left -= noise.length) yield left < noise.length ? noise.subarray(0, left) : noise;
  const tail = '\nendstream\nendobj\n';
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const xref = head.length + bytes + tail.length;
  yield Buffer.from(
    `${tail}xref\n0 5\n0000000000 65535 f \n${entries}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
  );
}

function send(response: ServerResponse, number: number, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/pdf' });
  pipeline(Readable.from(aPdf(number, bytes)), response).catch(() => {}); // the reader has disconnected
}

const server = createServer((request, response) => {
  const [, number, bytes] = /^\/s\/(\d+)\/(\d+)\.pdf/.exec(request.url ?? '') ?? [];
  if (bytes === undefined) response.writeHead(404).end();
  else send(response, Number(number), Number(bytes));
});
server.listen(0, '127.0.0.1', () => console.log(`ready ${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit());
