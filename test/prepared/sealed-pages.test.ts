import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackingFile } from '../../src/sealing/testing/prepared-files.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { postPdf } from '../verify/sealed.ts';
import { imageOutside } from './page-image.ts';
import { signPrepared } from './sign-prepared.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

test('a PDF prepared to show typed text and a signature as its own content is sealed as it was signed', async () => {
  const file = attackingFile();
  const { id, fields } = await signPrepared(app, company, file);
  const { body } = await eventually(
    () => call(app, 'GET', `/documents/${id}/download`, { key: company.key }),
    ({ status }) => status === 200,
  );
  const sealed = Buffer.from(await (await fetch(body.url)).arrayBuffer());

  expect(await imageOutside(sealed, 1, fields)).toBe(await imageOutside(file, 1, fields));
  expect(await imageOutside(sealed, 2)).toBe(await imageOutside(file, 2));
  for (const field of fields) {
    const others = fields.filter((other) => other !== field);
    expect(await imageOutside(sealed, 1, others), field.type).not.toBe(await imageOutside(file, 1, others));
  }
  const verified = await postPdf(app, sealed);
  expect([verified.body.verdict, verified.against]).toEqual(['valid', []]);
  expect(verified.body.document.file.manner).toBe('pages');
});
