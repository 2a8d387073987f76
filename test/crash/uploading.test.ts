import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLinkOf, signature } from '../signing/signer.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { call, createCompany, createDraft, type TestService } from '../support/service.ts';
import { uploadTo } from '../support/uploads.ts';
import { untilGone } from './outcome.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround();
});
afterEach(async () => {
  await endServers();
  await ground.clear();
});

const permit = (n: number) => `%PDF-1.4 ${n} ${'x'.repeat(5_000_000)}`;

test('kill -9 while a recipient attaches a file: what a field refers to is there and counted, and signed with', async () => {
  const company = await createCompany(ground);
  const sql = <Row extends object>(text: string) => ground.db.query<Row>({ name: '', text, values: [] });
  const isStored = (hex: string) => existsSync(join(ground.dataDir, 'files/sha256', hex.slice(0, 2), hex.slice(2)));
  let id = '';
  let field = '';
  let wholeMs = 0;

  for (let round = 0; round <= 4; round += 1) {
    const server = await startServer(ground.settings);
    const app = { ...ground, baseUrl: server.baseUrl } as unknown as TestService;
    if (round === 0) {
      id = await createDraft(app, company.key, { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
      await attachPdf(app, company, id);
      field = (await placeOn(app, company, id, [{ recipient: 1, type: 'upload', label: 'Permit' }]))[0]?.id ?? '';
      expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
    }
    const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
    const started = performance.now();
    const uploading = uploadTo(signer, field, `${round}.pdf`, permit(round)).catch(() => null);
    if (round === 0) {
      expect((await uploading)?.status).toBe(200);
      wholeMs = performance.now() - started;
    } else {
      await sleep((wholeMs * round) / 4);
    }
    server.kill('SIGKILL');
    await server.ended;
    await uploading;
    await untilGone(ground);

    const kept = await sql<{ sha256: string; name: string; value: string }>(
      `select encode(u.sha256, 'hex') as sha256, u.name, f.value from field_files u join document_fields f on f.id = u.field_id`,
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]?.value).toBe(kept[0]?.name);
    expect(isStored(kept[0]?.sha256 ?? '')).toBe(true);
    const miscounted = await sql(
      `select from stored_files s where reference_count <>
         (select count(*) from document_files f where f.sha256 = s.sha256)
         + (select count(*) from field_files u where u.sha256 = s.sha256)`,
    );
    expect(miscounted).toEqual([]);
  }

  const server = await startServer(ground.settings);
  const signer = await openLinkOf(
    { ...ground, baseUrl: server.baseUrl } as unknown as TestService,
    company,
    id,
    'Ada Lovelace',
  );
  const { body } = await uploadTo(signer, field, 'last.pdf', permit(5));
  const fields = { [field]: body.file.id };
  expect((await signer.post('sign', { ...signature, fields })).body).toEqual({ state: 'completed' });
});
