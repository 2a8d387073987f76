import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Received, startReceiver } from '../support/receiver.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { drained, streamTo } from './streams.ts';

const guide = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docs/guides/audit-stream.md'), 'utf8');
const sample = /^```python\n(.*?)^```/ms.exec(guide)?.[1] ?? '';

let app: TestService;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => app.stop());

/** Runs the function of the guide at the time of the test's service. */
function read(secret: string, signature: string, body: Buffer): { status: number | null; stdout: string } {
  const now = Math.floor(app.clock.now().getTime() / 1000);
  const script = `${sample}
import sys
time.time = lambda: ${now}
print(json.dumps(read_batch(sys.argv[1], sys.argv[2], sys.stdin.buffer.read())))`;
  return spawnSync('python3', ['-c', script, secret, signature], { input: body, encoding: 'utf8' });
}

test.skipIf(!hasTool('python3'))(
  'the sample of the guide accepts a batch, and nothing that is forged or old',
  async () => {
    const company = await createCompany(app);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const { secret } = await streamTo(app, company.id, receiver.url);
    await drained(app, company.id);
    const [{ raw, headers, event }] = receiver.received as [Received];
    const signature = String(headers['x-service-signature']);
    const good = read(secret ?? '', signature, raw);
    expect(JSON.parse(good.stdout)).toEqual(event.data.entries);
    const forged = Buffer.from(raw.toString().replace('operator', 'somebody'));
    expect(read(secret ?? '', signature, forged).status).not.toBe(0);
    expect(read('whsec_wrong', signature, raw).status).not.toBe(0);
    expect(read(secret ?? '', 'v1=', raw).status).not.toBe(0);
    app.clock.advance({ minutes: 6 });
    expect(read(secret ?? '', signature, raw).status).not.toBe(0);
  },
);
