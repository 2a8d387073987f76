import { expect, onTestFinished, test } from 'vitest';
import { isSignedWith, type Received, startReceiver } from '../support/receiver.ts';
import { audited } from './audited.ts';
import { place } from './countersign.ts';

test('the stream of an audit log is set, tested, rolled, paused, resumed, shown and removed', async () => {
  const at = await place({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme');
  const stream = (verb: string, ...more: string[]) => at.json('account', 'audit-stream', verb, id, ...more);
  const fails = (code: 1 | 2, verb: string, ...more: string[]) =>
    at.fails(code, 'account', 'audit-stream', verb, id, ...more);

  for (const verb of ['show', 'pause', 'resume', 'remove', 'test', 'roll'])
    expect(await fails(1, verb), verb).toContain('does not stream its audit log');
  expect(await fails(2, 'set')).toContain('--webhook or --syslog');
  expect(await fails(2, 'set', '--webhook', receiver.url, '--syslog', 'logs.example.com')).toContain('not both');
  expect(await fails(1, 'set', '--webhook', 'nonsense')).toContain('the URL must be an absolute https address');
  expect(await fails(1, 'set', '--syslog', 'nonsense:0:1')).toContain('the syslog server must be a host with a port');

  const set = await stream('set', '--webhook', receiver.url);
  expect(set).toMatchObject({ account_id: id, kind: 'webhook', url: receiver.url, waiting: 1 });
  expect(await stream('test')).toEqual({ works: true });
  expect(isSignedWith(String(set.secret), receiver.received[0] as Received, new Date())).toBe(true);
  receiver.answer = (response) => response.writeHead(500).end();
  expect(await fails(1, 'test')).toBe('the receiver answered 500');
  expect((await stream('roll')).secret).not.toBe(set.secret);
  expect((await stream('pause')).paused_at).not.toBeNull();
  expect((await stream('resume')).paused_at).toBeNull();
  expect(await stream('show')).toMatchObject({ waiting: 4, last_error: null, sent_entries: 0 });
  expect(JSON.stringify(await stream('show'))).not.toContain('whsec_');
  expect(await stream('set', '--syslog', 'syslog+tcp://127.0.0.1:6514')).toMatchObject({
    kind: 'syslog',
    secret: null,
  });
  expect(await fails(1, 'roll')).toContain('does not stream its audit log to a webhook');
  expect(await stream('remove')).toMatchObject({ account_id: id });
  expect((await audited(at, id)).slice(-6)).toEqual([
    'audit_stream_set',
    'audit_stream_secret_rolled',
    'audit_stream_paused',
    'audit_stream_resumed',
    'audit_stream_set',
    'audit_stream_removed',
  ]);
});
