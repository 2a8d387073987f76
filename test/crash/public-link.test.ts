import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createPublicLink, type LinkVisitor, visitLink } from '../support/public-link.ts';
import { createCompany } from '../support/service.ts';
import { ask, count, randomBetween, untilGone } from './outcome.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

const visitorsMax = 30;

test('kill -9 while visitors of a public link enter their codes: each gets one document when they enter it again', async () => {
  ground = await prepareGround();
  const settings = { ...ground.settings, ROLE: 'web' };
  const company = await createCompany(ground);
  const link = await createPublicLink(ground, company, { documents_max: visitorsMax });
  const first = await startServer(settings);
  const { dataDir } = ground;
  const visitors: { visitor: LinkVisitor; code: string }[] = [];
  for (let n = 0; n < visitorsMax; n += 1) {
    const visitor = visitLink({ baseUrl: first.baseUrl, dataDir }, link);
    visitors.push({ visitor, code: await visitor.askCode(`Guest ${n}`, `guest-${n}@example.com`) });
  }
  const posted = visitors.map(({ visitor, code }) => visitor.post('verify', { code }).catch(() => null));
  await sleep(randomBetween(50, 250));
  first.kill('SIGKILL');
  const told = (await Promise.all(posted)).filter((answer) => answer?.status === 303).length;
  await first.ended;
  await untilGone(ground);
  const made = await count(ground, 'public_link_documents');
  expect(made).toBeGreaterThanOrEqual(told);

  const second = await startServer(settings);
  for (const { visitor, code } of visitors) {
    const again = visitLink({ baseUrl: second.baseUrl, dataDir }, link);
    for (const [name, value] of visitor.cookies) again.cookies.set(name, value);
    const { status, to } = await again.post('verify', { code });
    expect([status, to]).toEqual([303, expect.stringContaining('/sign/')]);
  }
  const [counted] = await ask<{ documents: number }>(ground, 'select documents from public_links');
  expect(counted?.documents).toBe(visitorsMax);
  expect(await count(ground, 'documents where not is_template')).toBe(visitorsMax);
  expect(await count(ground, 'messages')).toBe(visitorsMax);
  expect(await count(ground, `events where type = 'document.sent'`)).toBe(visitorsMax);
});
