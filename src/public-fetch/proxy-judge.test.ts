import { expect, test } from 'vitest';
import { createProxyJudge } from './proxy-judge.ts';

test('five hosts refused in a row are the fault of the proxy for an hour, then of the hosts again', () => {
  let nowMs = 0;
  const judge = createProxyJudge(() => nowMs);
  const faults = () => ['a', 'b', 'c', 'd', 'e', 'f'].map((host) => judge.refused(host, 503, {}));
  expect(faults()).toEqual(['target', 'target', 'target', 'target', 'proxy', 'proxy']);
  nowMs = 3_599_999;
  expect(new Set(faults())).toEqual(new Set(['proxy']));
  nowMs = 3_600_000;
  expect(new Set(faults())).toEqual(new Set(['target']));
});

test('repeated refusals of one host are never the fault of the proxy', () => {
  const judge = createProxyJudge();
  for (let i = 0; i < 100; i++) expect(judge.refused('dead', i % 2 === 0 ? 504 : null, {})).toBe('target');
});

test('a host that is reached starts the count again', () => {
  const judge = createProxyJudge();
  for (let i = 0; i < 20; i++) {
    expect(judge.refused(`host${i}`, 403, {})).toBe('target');
    if (i % 4 === 3) judge.reached();
  }
});
