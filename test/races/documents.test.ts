import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember, signedIn } from '../console/visitor.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { expectConsistent, factsOf, summaryOf } from './document-facts.ts';
import { type Bench, type State, type Subject, states, storedFile, type VerbName, verbs } from './document-verbs.ts';
import { holdRow, interleave, type Settled } from './interleave.ts';

/**
 * Every pair of changes of a document, where both begin before either has the lock. Answers, state, audit trail, events
 * and messages must be as if the two ran one after the other, in either order.
 */
let app: TestService;
let bench: Bench;

beforeAll(async () => {
  // Without workers messages stay pending, which shows a message to the wrong person.
  app = await startTestService({ env: { ROLE: 'web' } });
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  bench = { app, company, owner, file: await storedFile(app) };
});
afterAll(() => app.stop());

/** The verbs that can succeed in a state, or after another verb that can. The others are always refused. */
const possible: Record<State, VerbName[]> = {
  draft: [
    'attach',
    'edit',
    'liftRestriction',
    'reassign',
    'restrict',
    'returnToDraft',
    'review',
    'saveAsTemplate',
    'schedule',
    'send',
    'setFields',
    'void',
  ],
  in_review: ['attach', 'edit', 'restrict', 'returnToDraft', 'review', 'schedule', 'send', 'setFields', 'void'],
  scheduled: ['attach', 'restrict', 'review', 'schedule', 'send', 'sendByKey', 'sendDue', 'unschedule', 'void'],
  sent: ['sign', 'signSecond', 'decline', 'view', 'saveProgress', 'reassign', 'remind', 'void', 'expire', 'restrict'],
  approving: ['sign', 'signSecond', 'decline', 'reassign', 'remind', 'void', 'expire'],
};
/** They return the existing state, or change another document. */
const neverRefused: VerbName[] = ['sendDue', 'mirror', 'saveAsTemplate', 'expire', 'view', 'saveProgress', 'restrict'];
const isUnsent = (state: State) => state === 'draft' || state === 'in_review' || state === 'scheduled';
const needsLink: VerbName[] = ['sign', 'signSecond', 'decline'];

type Run = (subject: Subject, a: VerbName, b: VerbName) => Promise<boolean[]>;

const oneAfterTheOther: Run = async (subject, a, b) => [await succeeds(subject, a), await succeeds(subject, b)];
const otherWayRound: Run = async (subject, a, b) => (await oneAfterTheOther(subject, b, a)).reverse();
const atOnce: Run = async (subject, a, b) => {
  const hold = holdRow('documents', 'id', subject.id);
  const answers = await interleave(
    app,
    hold,
    () => succeeds(subject, a),
    () => succeeds(subject, b),
  );
  return answers.map((settled: Settled<boolean>) => {
    if (!settled.ok) throw settled.error;
    return settled.value;
  });
};

const atOnceOtherWayRound: Run = async (subject, a, b) => (await atOnce(subject, b, a)).reverse();

async function succeeds(subject: Subject, name: VerbName): Promise<boolean> {
  try {
    const answer = await verbs[name](bench, subject);
    expect(answer?.status ?? 200, answer?.text).toBeLessThan(500);
    return (answer?.status ?? 200) < 300;
  } catch (error) {
    if ((error as Error).name === 'Refusal') return false;
    throw error;
  }
}

async function outcomeOf(state: State, run: Run, a: VerbName, b: VerbName) {
  app.clock.advance({ seconds: 2 }); // otherwise the company's request budget runs out
  const subject = await states[state](bench);
  const answers = await run(subject, a, b);
  const facts = await factsOf(bench, subject.id);
  expectConsistent(facts);
  return { answers, ...summaryOf(facts) };
}

describe.each(Object.keys(possible) as State[])('a document that is %s', (state) => {
  const pairs = possible[state].flatMap((a) => possible[state].filter((b) => a <= b).map((b) => [a, b] as const));
  test.each(pairs)('%s and %s', async (a, b) => {
    const allowed = [await outcomeOf(state, oneAfterTheOther, a, b), await outcomeOf(state, otherWayRound, a, b)];
    expect(allowed).toContainEqual(await outcomeOf(state, atOnce, a, b));
    expect(allowed).toContainEqual(await outcomeOf(state, atOnceOtherWayRound, a, b));
  });

  const others = (Object.keys(verbs) as VerbName[]).filter((name) => !possible[state].includes(name));
  test.skipIf(others.length === 0)('everything else is refused and changes nothing', async () => {
    const subject = await states[state](bench);
    const before = summaryOf(await factsOf(bench, subject.id));
    const refused = others.filter((name) => !neverRefused.includes(name) && (name !== 'sendByKey' || !isUnsent(state)));
    for (const name of refused) {
      if (needsLink.includes(name) && subject.ada === null) continue;
      expect(await succeeds(subject, name), name).toBe(false);
    }
    expect(summaryOf(await factsOf(bench, subject.id))).toEqual(before);
  });
});

/** Exactly one of these succeeds. */
test.each<[State, VerbName, VerbName]>([
  ['sent', 'sign', 'reassign'],
  ['sent', 'sign', 'decline'],
  ['sent', 'decline', 'reassign'],
  ['draft', 'send', 'edit'],
  ['draft', 'send', 'sendByKey'],
  ['draft', 'edit', 'setFields'],
  ['in_review', 'send', 'returnToDraft'],
  ['draft', 'schedule', 'edit'],
])('%s: of %s and %s exactly one succeeds', async (state, a, b) => {
  for (const [x, y] of [[a, b] as const, [b, a] as const]) {
    const { answers } = await outcomeOf(state, atOnce, x, y);
    expect(answers.filter(Boolean)).toHaveLength(1);
  }
});
