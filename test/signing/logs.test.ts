import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { signerOf, wrong } from './signer.ts';
import { codeIn, type SmsProvider, startSmsProvider } from './sms-provider.ts';

let provider: SmsProvider;
let app: TestService;
let written = '';

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  provider = await startSmsProvider();
  app = await startTestService({ env: { LOG_LEVEL: 'debug', SMS_URL: provider.url } });
});
afterAll(async () => {
  await app.stop();
  await provider.close();
  vi.restoreAllMocks();
});

test('the log tells that a code could not be sent, and of no code, number or cookie, at its most talkative', async () => {
  const company = await createCompany(app);
  const { signer } = await signerOf(app, company);
  provider.answer = { status: 400, code: 21211 };
  await signer.post('code');
  provider.answer = { status: 201 };
  await signer.post('code');
  const code = codeIn(provider.texts.at(-1));
  await signer.verify(wrong(code));
  expect((await signer.verify(code)).status).toBe(200);
  await signer.page();

  expect(written).toContain('a verification code could not be sent');
  const codes = provider.texts.map(codeIn).flatMap((sent) => [`"${sent}"`, `#${sent}`, `=${sent}`, ` ${sent} `]);
  for (const secret of [...codes, '010-4742', '5550104742', ...signer.cookies.values()])
    expect(written).not.toContain(secret);
});
