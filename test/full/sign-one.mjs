// Starts the installed `countersign serve` on an empty DATA_DIR and signs one document over HTTP:
// `node sign-one.mjs PROGRAM DATA_DIR`. Needs no package, and Node 20 or newer.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [program, dataDir] = process.argv.slice(2);
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL, PORT: '0' };
const server = spawn(program, ['serve'], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'inherit'] });
const limit = setTimeout(() => server.kill('SIGKILL'), 180_000);
const ended = new Promise((resolve) => server.once('close', resolve));
let said = '';
server.stdout.setEncoding('utf8').on('data', (text) => {
  said += text;
});

try {
  const [, baseUrl] = await until(() => /^ready (\S+)$/m.exec(said));
  const [, key] = /\blive\s+(svc_live_\w+)/.exec(said) ?? [];
  const origin = new URL(baseUrl).origin;
  const call = (method, path, body) =>
    fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  const page = await fetch(`${origin}/`);
  if (page.status !== 200) throw new Error(`the console answers ${page.status}`);

  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const { id } = await (await call('POST', '/documents', { title: 'First agreement', recipients })).json();
  await call('POST', `/documents/${id}/send`);
  const link = await until(() => JSON.parse(run('mailbox', 'list', '--to', 'ada@example.com', '--json'))[0]?.links[0]);
  const signature = { full_name: 'Ada Lovelace', signature: { kind: 'typed' } };
  const path = new URL(link).pathname;
  const signed = await fetch(`${origin}${path}/sign`, { method: 'POST', body: JSON.stringify(signature) });
  if (signed.status !== 200) throw new Error(`signing was answered ${signed.status}: ${await signed.text()}`);
  const download = await until(async () => {
    const answer = await call('GET', `/documents/${id}/download`);
    return answer.status === 200 && (await answer.json());
  });
  const pdf = Buffer.from(await (await fetch(download.url)).arrayBuffer());
  if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('the download is not a PDF');
  console.log(`signed one document: a sealed PDF of ${pdf.length} bytes`);
} finally {
  server.kill('SIGTERM');
  clearTimeout(limit);
  if ((await ended) !== 0) process.exitCode = 1;
}

function run(...args) {
  return execFileSync(program, args, { env, cwd: dataDir, encoding: 'utf8' });
}

/** Waits for a value, two minutes at most. */
async function until(read) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (server.exitCode !== null) throw new Error(`countersign serve ended with ${server.exitCode}`);
    if (Date.now() > deadline) throw new Error('waited two minutes');
    await sleep(200);
  }
}
