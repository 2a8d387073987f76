import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { disclosureVersion } from '../../src/signing/disclosure.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { postPdf, sealedPdf } from '../verify/sealed.ts';
import { openLinkOf, signature } from './signer.ts';

/** Texts of several lines: which fields take them, and that their line breaks are kept until the sealed PDF. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const mary = { name: 'Mary Jackson', email: 'mary@example.com' };
const address = '12 Elm Street\n\nSpringfield';

async function sentWith(fieldsToPlace: readonly FieldToPlace[], recipients: readonly object[] = [ada]) {
  const id = await createDraft(app, company.key, { recipients });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, fields };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);

test('a tall field takes several lines, which stay lines on later pages, in the sealed PDF and in its values', async () => {
  const { id, fields } = await sentWith([{ recipient: 1, type: 'text', label: 'Address', height: 60 }], [ada, mary]);
  const signer = await openLinkOf(app, company, id, ada.name);
  for (const path of ['', '/form']) expect((await signer.page(path)).text).toMatch(/<textarea [^>]*field-1"/);
  const answer = await signer.post('sign', { ...signature, fields: { [fields[0] as string]: address } });
  expect(answer.status).toBe(200);
  expect(await valuesOf(id)).toEqual([address]);

  const later = await openLinkOf(app, company, id, mary.name);
  const lines = [...(await later.page()).text.matchAll(/<tspan[^>]* y="([\d.]+)">([^<]*)</g)];
  expect(lines.map(([, , text]) => text)).toEqual(address.split('\n'));
  expect(lines.map(([, y]) => Number(y))).toEqual(lines.map(([, y]) => Number(y)).sort((a, b) => a - b));
  expect((await later.post('sign', { ...signature, full_name: mary.name })).body).toEqual({ state: 'completed' });

  const pdf = await sealedPdf(app, id);
  expect(pdfText(pdf)).toMatch(/12 Elm Street *\n[\s\S]*\n *Springfield *\n/);
  const values = JSON.parse(Buffer.from((await PDF.load(pdf)).getAttachment('values.json') ?? []).toString());
  expect(values[0].values[0].value).toBe(address);
  expect((await postPdf(app, pdf)).against).toEqual([]);
});

test('the form without JavaScript takes them too, and a line break counts as one character', async () => {
  const { id, fields } = await sentWith([{ recipient: 1, type: 'text', label: 'Address', height: 60 }]);
  const signer = await openLinkOf(app, company, id, ada.name);
  const longest = `${'a\r\n'.repeat(249)}bc`;
  const entered = { full_name: ada.name, disclosure: disclosureVersion, [`field.${fields[0]}`]: longest };
  const send = (action: string) =>
    fetchLocally(`${signer.link}/form`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...entered, action }).toString(),
    });
  expect((await send('sign')).status).toBe(303);
  expect(await valuesOf(id)).toEqual([longest.replaceAll('\r\n', '\n')]);
});

test('a low field takes one line, except where the sender gave several', async () => {
  const { id } = await sentWith([
    { recipient: 1, type: 'text', label: 'City', height: 39 },
    { recipient: 1, type: 'text', label: 'Address', height: 20, value: '12 Elm Street\nSpringfield' },
  ]);
  const signer = await openLinkOf(app, company, id, ada.name);
  const { text } = await signer.page();
  expect(text).toMatch(/<input type="text" [^>]*field-1"/);
  // Browsers leave out a line break at the beginning of a text area.
  expect(text).toMatch(/<textarea [^>]*field-2"[^>]*>\n12 Elm Street\nSpringfield<\/textarea>/);
});
