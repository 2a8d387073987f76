import { expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import type { Statement } from './database.ts';
import { createNotifier } from './notifier.ts';

/** The notifications of each statement. */
function record() {
  const said: unknown[][] = [];
  const query = async <Row>({ values }: Statement<Row>): Promise<Row[]> => {
    said.push(values);
    return [];
  };
  return { said, notifier: createNotifier({ query }, createLog('silent')) };
}

test('notifications with a payload are collected and sent once', async () => {
  const { said, notifier } = record();
  for (const account of ['a', 'b', 'a', 'a']) notifier.notify('changes', account);
  expect(said).toEqual([]);
  await notifier.settled();
  expect(said).toEqual([
    [
      ['changes', 'changes'],
      ['a', 'b'],
    ],
  ]);
});

test('notifications without a payload are sent at once, each time', async () => {
  const { said, notifier } = record();
  notifier.notify('work');
  expect(said).toEqual([[['work'], [undefined]]]);
  notifier.notify('work');
  notifier.notify('work');
  await notifier.settled();
  expect(said).toHaveLength(2);
});
