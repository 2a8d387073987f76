// Receives webhooks of Countersign. Needs Node 20 or newer and no package:
//   WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 8080);
const toleranceSeconds = 300;
const bytesMax = 1_000_000;

if (secret === '') throw new Error('Set WEBHOOK_SECRET to the signing secret of the endpoint.');

/** Keep these in your database: an event can arrive more than once. */
const handled = new Set();

createServer(async (request, response) => {
  const body = await readBody(request);
  if (body === null || !isSigned(request.headers['x-service-signature'] ?? '', body)) {
    response.writeHead(400).end('bad signature');
    return;
  }
  try {
    const event = JSON.parse(body.toString());
    // Answer within 10 seconds. Do slow work afterwards, in a queue of your own.
    if (!handled.has(event.id)) await handle(event);
    // Only now, so that an event that failed is handled when it is delivered again.
    handled.add(event.id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('not handled');
  }
}).listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));

async function handle({ event, data: { document } }) {
  console.log(event, document.id);
  // document.completed: get the sealed PDF with GET /api/v1/documents/{id}/download
}

/** Checks the exact bytes that arrived, in constant time. There is one v1 for each valid secret. */
function isSigned(header, body) {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds)) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  return parts.some(([name, value = '']) => {
    const received = Buffer.from(name === 'v1' ? value : '', 'hex');
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
}

/** Returns null when the body is too large or breaks off. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > bytesMax) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
