import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSpendUnits } from '../../src/api/spend-units.ts';
import type { RateState } from '../../src/usage/rate-state.ts';
import { rateWindowAt } from '../../src/usage/rate-window.ts';
import { call, createCompany, startTestService, type TestService } from '../support/service.ts';

let app: TestService;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());

interface Used {
  minute_used: number;
  day_used: number;
}

test.each([
  { passes: 'the minute', move: { minutes: 1 }, left: { minute_used: 3, day_used: 2 } },
  { passes: 'the day', move: { days: 1 }, left: { minute_used: 3, day_used: 3 } },
  { passes: 'nothing', move: { minutes: 0 }, left: { minute_used: 2, day_used: 2 } },
])('a refused request gives its unit back only where it took it: $passes passes', async ({ move, left }) => {
  const company = await createCompany(app);
  await call(app, 'GET', '/account', { key: company.key });
  const admitted: RateState = {
    limitBurst: 5,
    remainingBurst: 4,
    limitDaily: 1000,
    remainingDaily: 999,
    window: rateWindowAt(app.clock.now()),
  };
  app.clock.advance(move);
  const { minute, day } = rateWindowAt(app.clock.now());
  // Other requests have taken three units since.
  await app.db.query({
    name: '',
    text: 'update rate_usage set minute = $2, minute_used = 3, day = $3, day_used = 3 where account_id = $1',
    values: [company.id, minute, day],
  });
  const spent = await createSpendUnits(app.world, app.db)(company.id, admitted, 4);
  expect(spent.isGranted).toBe(false);
  const text = 'select minute_used, day_used from rate_usage where account_id = $1';
  expect(await app.db.query<Used>({ name: '', text, values: [company.id] })).toEqual([left]);
});
