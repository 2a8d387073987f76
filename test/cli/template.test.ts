import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { type Papers, papers } from './documents.ts';

interface Shown {
  id: string;
  title: string;
  status: string;
  is_template: boolean;
  file: { name: string } | null;
  recipients: { id: string; display_name: string }[];
  fields: { recipient_id: string; type: string }[];
}

async function write(at: Papers, name: string, content: unknown): Promise<string> {
  await writeFile(join(at.cwd, name), content instanceof Uint8Array ? content : JSON.stringify(content));
  return name;
}

test('a template is made, edited, listed, used and removed', async () => {
  const at = await papers();
  const lease = await write(at, 'template.json', { title: 'Lease', recipients: [{ name: 'Tenant' }] });
  const { id } = await at.json<Shown>('template', 'create', lease, '--account', at.accountId);
  await at.json('document', 'attach', id, await write(at, 'lease.pdf', makePdf()));
  const field = { recipient: 1, type: 'signature', page: 1, x: 100, y: 100, width: 200, height: 50 };
  const placed = await write(at, 'fields.json', [field]);
  await at.json('document', 'fields', id, '--file', placed);
  const [tenant] = (await at.json<Shown>('document', 'show', id)).recipients;
  const body = { title: 'House lease', recipients: [{ id: tenant?.id, name: 'Tenant', role: 'Tenant' }] };
  await at.json('document', 'edit', id, await write(at, 'edited.json', body));
  expect(await at.json('template', 'list', '--account', at.accountId)).toMatchObject([{ id, title: 'House lease' }]);

  const named = { id: tenant?.id, name: 'Ada Lovelace', email: 'ada@example.com' };
  const use = await write(at, 'draft.json', { title: 'Lease of Ada', recipients: [named] });
  const draft = await at.json<Shown>('template', 'use', id, use);
  expect(draft).toMatchObject({
    title: 'Lease of Ada',
    status: 'draft',
    is_template: false,
    file: { name: 'lease.pdf' },
  });
  expect(draft.fields).toMatchObject([{ recipient_id: draft.recipients[0]?.id, type: 'signature' }]);

  expect(await at.json('template', 'remove', id)).toMatchObject({ status: 'voided', file: null });
  expect(await at.json('template', 'list', '--account', at.accountId)).toEqual([]);
  const again = await at.run('template', 'use', id, use);
  expect([again.code, again.stderr]).toEqual([1, `countersign: there is no template with the id "${id}"\n`]);
});

test('what a document cannot be is refused, by the part that is at fault', async () => {
  const at = await papers();
  const id = await at.draft();
  const nobody = await write(at, 'nobody.json', { title: 'Lease', recipients: [{ name: 'Ada' }] });
  const { code, stderr } = await at.run('document', 'edit', id, nobody);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^countersign: recipients\[0\]\.email: .*\n$/)]);
  const draft = await at.run('template', 'remove', id);
  expect([draft.code, draft.stderr]).toEqual([1, `countersign: there is no template with the id "${id}"\n`]);
});
