import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const read = (env: Record<string, string>) => readConfig(env).retention;

test('by default only the request log, expired sessions and unused files are removed', () => {
  expect(read({})).toEqual({
    eventsDays: null,
    deliveriesDays: null,
    messagesDays: null,
    mailboxDays: null,
    requestLogDays: 7,
    sessionsDays: 0,
    removedFilesDays: 7,
  });
});

test('deliveries are kept no longer than their events', () => {
  expect(read({ RETAIN_EVENTS_DAYS: '90' })).toMatchObject({ eventsDays: 90, deliveriesDays: 90 });
  expect(read({ RETAIN_DELIVERIES_DAYS: '30' })).toMatchObject({ eventsDays: null, deliveriesDays: 30 });
  for (const days of ['91', 'forever']) {
    expect(() => read({ RETAIN_EVENTS_DAYS: '90', RETAIN_DELIVERIES_DAYS: days })).toThrow(
      'bad setting RETAIN_DELIVERIES_DAYS: it must be at most RETAIN_EVENTS_DAYS, which is 90',
    );
  }
});

test.each(['0', '-1', '1.5', '36501', 'never', '1e3'])('%s is no number of days', (value) => {
  expect(() => read({ RETAIN_EVENTS_DAYS: value })).toThrow(
    'bad setting RETAIN_EVENTS_DAYS: it must be forever, or days from 1 to 36500',
  );
});
