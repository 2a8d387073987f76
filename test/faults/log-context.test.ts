import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call, createCompany, eventually, startTestService } from '../support/service.ts';

type Line = Record<string, unknown>;

test('lines logged while a request is served name the request and the account', async () => {
  const lines = captureLog();
  const app = await startService({ LOG_LEVEL: 'debug' });
  const companies = [await createCompany(app), await createCompany(app)];
  const answers = await Promise.all(
    companies.flatMap(({ id, key }) =>
      [1, 2, 3].map(async () => {
        const body = { title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] };
        const answer = await call(app, 'POST', '/documents', { key, body });
        expect(answer.status).toBe(201);
        return { request_id: answer.headers.get('x-request-id'), account_id: id };
      }),
    ),
  );
  const served = await eventually(
    async () => lines.filter(({ message, account_id }) => message === 'request' && account_id !== undefined),
    (found) => found.length >= answers.length,
  );
  for (const answer of answers) expect(served).toContainEqual(expect.objectContaining(answer));
  expect(served).toHaveLength(answers.length);
});

test('lines logged by a job name the job and the account', async () => {
  const lines = captureLog();
  const mail = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
  });
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => mail.close(() => resolve())));
  const { port } = mail.server.address() as AddressInfo;
  const app = await startService({
    LOG_LEVEL: 'warn',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'sign@example.com',
  });
  const { id, key } = await createCompany(app);
  const body = { title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] };
  const document = (await call(app, 'POST', '/documents', { key, body })).body;
  expect((await call(app, 'POST', `/documents/${document.id}/send`, { key })).status).toBe(200);
  const line = await eventually(
    async () => lines.find(({ message }) => message === 'a message could not be delivered'),
    (found) => found !== undefined,
  );
  expect(line).toMatchObject({
    job: 'deliver-message',
    job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    account_id: id,
  });
  expect(line).not.toHaveProperty('request_id');
  expect(JSON.stringify(lines)).not.toContain('ada@example.com');
});

async function startService(env: Record<string, string>) {
  const app = await startTestService({ env });
  onTestFinished(() => app.stop());
  return app;
}

/** Collects what the service would write to stderr. */
function captureLog(): Line[] {
  const lines: Line[] = [];
  const writing = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)));
    return true;
  });
  onTestFinished(() => writing.mockRestore());
  return lines;
}
