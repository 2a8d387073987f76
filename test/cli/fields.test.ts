import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formPages } from '../../src/pdf/pdfium/testing/form-page.ts';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { type Papers, papers } from './documents.ts';

interface Shown {
  recipients: Array<{ id: string }>;
  fields: unknown[];
}

const field = { recipient: 1, type: 'signature', page: 1, x: 100, y: 100, width: 200, height: 50 };

/** A draft with two signers, an approver, a cc and a file of two pages: one of 612 × 792 points, one rotated. */
async function draftWithFile(): Promise<{ at: Papers; id: string; recipientIds: string[] }> {
  const at = await papers();
  const id = await at.draft({
    recipients: [
      { name: 'Ada Lovelace', email: 'ada@example.com' },
      { name: 'Grace Hopper', email: 'grace@example.com' },
      { name: 'Theo Brandt', email: 'theo@example.com', role: 'approver' },
      { name: 'Mia Chen', email: 'mia@example.com', role: 'cc' },
    ],
  });
  await writeFile(join(at.cwd, 'lease.pdf'), makePdf({ pages: [{}, { entries: '/Rotate 90' }] }));
  const { recipients } = await at.json<Shown>('document', 'attach', id, 'lease.pdf');
  return { at, id, recipientIds: recipients.map((recipient) => recipient.id) };
}

async function place(at: Papers, id: string, fields: unknown): Promise<string[]> {
  await writeFile(join(at.cwd, 'fields.json'), JSON.stringify(fields));
  return ['document', 'fields', id, '--file', 'fields.json'];
}

test('fields are placed by id or number, listed, shown with the document, and replaced as a whole', async () => {
  const { at, id, recipientIds } = await draftWithFile();
  const fields = [
    field,
    { ...field, type: 'checkbox', x: 592, y: 772, width: 20, height: 20, label: 'I agree' },
    { ...field, recipient: recipientIds[1], type: 'date', page: 2, x: 700.5, width: 91.5, required: false },
    { ...field, recipient: 3, type: 'text', label: null },
  ];
  const listed = await at.json<unknown[]>(...(await place(at, id, fields)));
  const rest = { id: expect.any(String), value: null, filled_at: null, private: false };
  const { recipient: _number, ...placed } = field;
  expect(listed).toMatchObject([
    { ...placed, ...rest, recipient_id: recipientIds[0], display_name: 'Ada Lovelace', required: true, label: null },
    {
      ...placed,
      ...rest,
      ...{ type: 'checkbox', x: 592, y: 772, width: 20, height: 20, label: 'I agree' },
      recipient_id: recipientIds[0],
      display_name: 'Ada Lovelace',
      required: false,
    },
    {
      ...placed,
      ...rest,
      ...{ type: 'date', page: 2, x: 700.5, width: 91.5, label: null },
      recipient_id: recipientIds[1],
      display_name: 'Grace Hopper',
      required: false,
    },
    {
      ...placed,
      ...rest,
      ...{ type: 'text', label: null, required: true },
      recipient_id: recipientIds[2],
      display_name: 'Theo Brandt',
    },
  ]);
  expect(await at.json('document', 'fields', id)).toEqual(listed);
  expect((await at.json<Shown>('document', 'show', id)).fields).toEqual(listed);
  expect((await at.run('document', 'fields', id)).stdout.toString()).toContain('Grace Hopper');

  expect(await at.json(...(await place(at, id, [field])))).toHaveLength(1);
  expect(await at.json(...(await place(at, id, [])))).toEqual([]);
  const trail = await at.json<Array<{ action: string; detail: unknown }>>('document', 'audit', id);
  expect(trail.slice(2).map(({ action, detail }) => ({ action, detail }))).toEqual(
    [4, 1, 0].map((fields) => ({ action: 'fields_placed', detail: { fields } })),
  );
});

test('what is wrong is named, and the fields stay as they were', async () => {
  const { at, id } = await draftWithFile();
  await at.json(...(await place(at, id, [field])));
  const wrong = [field, { ...field, page: 3 }];
  expect(await at.fails(1, ...(await place(at, id, wrong)))).toBe('fields[1].page must be a whole number from 1 to 2');
  expect(await at.json('document', 'fields', id)).toHaveLength(1);
});

test('refused: a document without a file, one that was sent, a file that is none', async () => {
  const at = await papers();
  const command = await place(at, await at.draft(), [field]);
  expect(await at.fails(1, ...command)).toContain('has no file yet');
  expect(await at.fails(1, ...(await place(at, await at.sent(), [field])))).toContain('this one is sent');
  await writeFile(join(at.cwd, 'fields.json'), '[{');
  expect(await at.fails(1, ...command)).toContain('fields.json is not JSON');
  expect(await at.fails(1, 'document', 'fields', command[2] as string, '--file', 'none.json')).toContain(
    'none.json cannot be read',
  );
});

test('the fields of a form are listed as they are placed', async () => {
  const at = await papers();
  const id = await at.draft({ recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  expect(await at.fails(1, 'document', 'form-fields', id)).toBe('the document has no file yet: attach one first');
  const form = formPages([
    [
      { entries: '/FT /Tx /T (city)', rectangle: [72, 700, 300, 720] },
      { entries: '/FT /Tx /T (street) /V (1 Main Street)', rectangle: [72, 660, 300, 680] },
      { entries: '/FT /Btn /Ff 32768 /T (pets)', state: 'Yes', rectangle: [72, 620, 92, 640] },
      { entries: '/FT /Btn /Ff 32768 /T (pets)', state: 'No', rectangle: [102, 620, 122, 640] },
    ],
  ]);
  await writeFile(join(at.cwd, 'form.pdf'), form);
  await at.json('document', 'attach', id, 'form.pdf');
  const { code, stdout, stderr } = await at.run('document', 'form-fields', id);
  expect([code, stderr]).toEqual([
    0,
    "countersign: fields of the form that have a value, or can't be filled in here: 1\n",
  ]);
  expect(stdout.toString()).toContain('City');
  const suggested = await at.json<unknown[]>('document', 'form-fields', id);
  expect(await at.json(...(await place(at, id, suggested)))).toMatchObject([
    { type: 'text', label: 'City', x: 72, y: 72, width: 228, height: 20 },
    { type: 'radio', group: 'Pets', label: 'Yes' },
    { type: 'radio', group: 'Pets', label: 'No' },
  ]);
});
