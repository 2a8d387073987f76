import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { addLogContext, openLogContext } from './log-context.ts';

function logged(level: Parameters<typeof createLog>[0] = 'debug') {
  const lines: string[] = [];
  return { lines, log: createLog(level, (line) => lines.push(line)) };
}

test('an entry is one line of JSON with time, level, message and context', () => {
  const { lines, log } = logged();
  log.warn('a job failed\nand {"level":"forged"}', { request_id: 'req_1', account_id: 'a1' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{[^\n]*\}\n$/);
  expect(JSON.parse(lines[0] as string)).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    message: 'a job failed\nand {"level":"forged"}',
    request_id: 'req_1',
    account_id: 'a1',
  });
});

test('each cause of an error is told once', () => {
  const { log, lines } = logged();
  const gone = new Error('the connection ended unexpectedly');
  const late = new Error('no connection in time', { cause: gone });
  gone.cause = late; // a circle ends
  log.warn('not sent', { error: new Error('database: no connection in time', { cause: late }) });
  expect(JSON.parse(lines[0] as string).error.message).toBe(
    'database: no connection in time: the connection ended unexpectedly',
  );
});

test('an error is logged with name, message, code and stack under any field name', () => {
  const { lines, log } = logged();
  log.error('it broke', { cause: Object.assign(new TypeError('no such file'), { code: 'ENOENT' }) });
  expect(JSON.parse(lines[0] as string).cause).toEqual({
    name: 'TypeError',
    message: 'no such file',
    code: 'ENOENT',
    stack: expect.stringContaining('log.test.ts'),
  });
});

test('entries below the level are not written', () => {
  const { lines, log } = logged('warn');
  log.debug('a');
  log.info('b');
  log.warn('c');
  logged('silent').log.error('d');
  expect(lines).toHaveLength(1);
});

test('fields that are named like secrets or contact details are never written', () => {
  const { lines, log } = logged();
  log.info('careless', { token: 's3cret', email: 'ada@example.com', delivery: { url: 'https://x/s3cret', id: 1 } });
  expect(lines[0]).not.toMatch(/s3cret|ada@/);
  expect(JSON.parse(lines[0] as string).delivery).toEqual({ url: '[redacted]', id: 1 });
});

test('values that JSON cannot represent do not break the log', () => {
  const { lines, log } = logged();
  const circular: Record<string, unknown> = { big: 1n };
  circular.self = circular;
  log.info('odd', { circular, nothing: undefined });
  expect(JSON.parse(lines[0] as string).message).toBe('odd');
});

test('lines get the fields of their context until it ends, and its secrets are not written either', async () => {
  const { lines, log } = logged();
  const context = openLogContext({ request_id: 'req_1' });
  const later = Promise.withResolvers<void>();
  const lateLine = context.run(async () => {
    addLogContext({ account_id: 'a1', ...{ token: 's3cret' } });
    log.info('within');
    await later.promise;
    log.info('after the end');
  });
  addLogContext({ account_id: 'outside' });
  log.info('outside');
  context.end();
  later.resolve();
  await lateLine;
  const read = lines.map((line) => JSON.parse(line));
  expect(read.map(({ level, time, ...rest }) => rest)).toEqual([
    { message: 'within', request_id: 'req_1', account_id: 'a1', token: '[redacted]' },
    { message: 'outside' },
    { message: 'after the end' },
  ]);
});
