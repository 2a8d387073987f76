import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { eventually } from '../support/service.ts';
import { placeOn } from './countersign.ts';

const secret = 'whsec_0123456789abcdef0123456789abcdef';

/** How each sample is started in its directory. Go and PHP are installed by npm run test:full. */
const samples = {
  node: () => [process.execPath, 'receiver.mjs'],
  python: () => ['python3', 'receiver.py'],
  go: () => ['go', 'run', 'receiver.go'],
  php: (port: string) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
};
type Language = keyof typeof samples;

const isInstalled = (language: Language) =>
  language === 'node' ||
  language === 'python' ||
  spawnSync(language, [language === 'go' ? 'version' : '--version']).status === 0;

/** The head of each `handle`, and a line after it that fails for the first event. */
const failures: Record<Language, [file: string, head: RegExp, line: string]> = {
  node: [
    'receiver.mjs',
    /^async function handle.*$/m,
    "if (globalThis.failed !== (globalThis.failed = true)) throw new Error('no database');",
  ],
  python: [
    'receiver.py',
    /^def handle.*$/m,
    '    if not os.environ.get("FAILED"): os.environ["FAILED"] = "1"; raise OSError("no database")',
  ],
  go: ['receiver.go', /^func handle.*$/m, 'if os.Getenv("FAILED") == "" { os.Setenv("FAILED", "1"); return io.EOF }'],
  php: [
    'receiver.php',
    /^function handle.*\n\{$/m,
    "if (!is_file('failed')) { touch('failed'); throw new RuntimeException('no database'); }",
  ],
};

/** Starts what `samples create` wrote, after `change`. Returns its address and what it prints. */
async function started(language: Language, change: (directory: string) => void = () => {}) {
  const at = placeOn({});
  const { directory } = await at.json<{ directory: string }>('samples', 'create', language);
  change(directory);
  const port = await freePort();
  const [program = '', ...args] = samples[language](port);
  const env = { PATH: process.env.PATH ?? '', HOME: at.cwd, TMPDIR: at.cwd, PORT: port, WEBHOOK_SECRET: secret };
  // Go compiles its standard library the first time.
  if (language === 'go') spawnSync('go', ['build', '-o', '/dev/null', 'receiver.go'], { cwd: directory, env });
  const child = spawn(program, args, {
    cwd: directory,
    env,
    // go run starts the program as its child.
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output.text += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}/`;
  await eventually(
    () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 400,
  );
  return { url, output };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function signature(body: string, key: string, at = Date.now()): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`;
}

async function post(url: string, body: string, header: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-service-signature': header };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

for (const language of Object.keys(samples) as Language[]) {
  test.skipIf(!isInstalled(language))(
    `the ${language} sample accepts signed events once, and nothing else`,
    async () => {
      const { url, output } = await started(language);
      const document = { id: randomUUID(), title: 'Straße 🖊 — "lease"' };
      const body = JSON.stringify({ id: randomUUID(), event: 'document.completed', data: { document } });
      const old = 'whsec_ffffffffffffffffffffffffffffffff';

      expect(await post(url, body, signature(body, secret))).toBe(204);
      const rolled = `${signature(body, old)},${signature(body, secret).split(',')[1]}`;
      expect(await post(url, body, rolled)).toBe(204);
      await eventually(
        async () => output.text,
        (text) => text.includes(`document.completed ${document.id}`),
      );
      expect(output.text.split(document.id)).toHaveLength(2);

      expect(await post(url, body, signature(body, old))).toBe(400);
      expect(await post(url, `${body} `, signature(body, secret))).toBe(400);
      expect(await post(url, body, signature(body, secret, Date.now() - 301_000))).toBe(400);
      expect(await post(url, body, signature(body, secret, Date.now() + 330_000))).toBe(400);
      for (const header of ['', 't=,v1=', 't=x,v1=00', 'v1=00', `${'='.repeat(100)},t=1`, 't=1,v1=zz,v1=']) {
        expect(await post(url, body, header), header).toBe(400);
      }
      expect(await post(url, body, signature(body, secret))).toBe(204);
    },
  );

  test.skipIf(!isInstalled(language))(
    `the ${language} sample handles an event whose first delivery failed, and then only once`,
    async () => {
      const { url, output } = await started(language, (directory) => failFirst(language, directory));
      const document = { id: randomUUID() };
      const body = JSON.stringify({ id: randomUUID(), event: 'document.completed', data: { document } });
      const deliver = () => post(url, body, signature(body, secret));

      // Python's server ends the connection, which counts as a failure too.
      expect([500, 0]).toContain(await deliver().catch(() => 0));
      expect(output.text).not.toContain(document.id);
      expect([await deliver(), await deliver()]).toEqual([204, 204]);
      await eventually(
        async () => output.text,
        (text) => text.includes(`document.completed ${document.id}`),
      );
      expect(output.text.split(document.id)).toHaveLength(2);
    },
  );
}

function failFirst(language: Language, directory: string): void {
  const [name, head, line] = failures[language];
  const path = join(directory, name);
  const written = readFileSync(path, 'utf8');
  const changed = written.replace(head, (found) => `${found}\n${line}`);
  expect(changed).not.toBe(written);
  writeFileSync(path, changed);
}
