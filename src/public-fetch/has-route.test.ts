import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasRoute } from './has-route.ts';

test('agrees with the system and leaves nothing open', async () => {
  const routes = process.platform === 'linux' ? execFileSync('cat', ['/proc/net/route'], { encoding: 'utf8' }) : null;
  const answers = await Promise.all([hasRoute(), hasRoute(), hasRoute()]);
  expect(new Set(answers).size).toBe(1);
  // A default route has destination and mask zero.
  if (routes !== null && /^\S+\t0{8}\t\S+\t\S+\t\S+\t\S+\t\S+\t0{8}/m.test(routes)) expect(answers[0]).toBe(true);
});
