import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { operate } from './operate.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

interface Page {
  ids: string[];
  /** The position after the page, null when nothing follows. */
  cursor: string | null;
}

async function page(query: string): Promise<Page> {
  const { status, body, text } = await call(app, 'GET', `/documents?${query}`, { key: company.key });
  expect(status, text).toBe(200);
  expect(body.next_cursor === null).toBe(!body.has_more);
  return { ids: body.data.map((document: { id: string }) => document.id), cursor: body.next_cursor };
}

/** Reads all pages from the newest on. `between` runs after each page. */
async function walkForwards(limit: number, between: () => Promise<void>): Promise<Page[]> {
  const pages: Page[] = [];
  let query = `limit=${limit}`;
  for (;;) {
    const found = await page(query);
    expect(found.ids.length).toBeLessThanOrEqual(limit);
    pages.push(found);
    if (found.cursor === null) return pages;
    query = `limit=${limit}&starting_after=${found.cursor}`;
    await between();
  }
}

/** Reads backwards over the positions of a forward walk, from the last to the first. */
async function walkBackwards(cursors: string[], limit: number, between: () => Promise<void>): Promise<Page[]> {
  const pages: Page[] = [];
  for (const cursor of cursors.toReversed()) {
    pages.push(await page(`limit=${limit}&ending_before=${cursor}`));
    await between();
  }
  return pages;
}

/** Changes that may happen between two pages. */
type Act = { kind: 'create' } | { kind: 'send'; pick: number } | { kind: 'restrict'; pick: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restrict' as const), pick: fc.nat() }) },
);

test('a walk sees every document that was there from beginning to end exactly once, whatever is written meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.array(act, { maxLength: 3 }), { maxLength: 24 }),
      async (count, limit, script) => {
        company = await createCompany(app);
        const all: string[] = [];
        const hidden = new Set<string>();
        const create = async () => void all.unshift(await createDraft(app, company.key));
        for (let i = 0; i < count; i++) await create();
        const atStart = [...all];

        const steps = [...script];
        const between = async () => {
          await Promise.all(
            (steps.shift() ?? []).map(async (next) => {
              if (next.kind === 'create') return create();
              const id = all[next.pick % Math.max(1, all.length)];
              if (id === undefined) return;
              if (next.kind === 'send')
                return void (await call(app, 'POST', `/documents/${id}/send`, { key: company.key }));
              hidden.add(id);
              await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'other'));
            }),
          );
        };

        const forwards = await walkForwards(limit, between);
        expectEachOnce(forwards, atStart, hidden);

        // Documents made at the same moment were answered in any order. Their ids determine the order of the list.
        const existing = all
          .filter((id) => !hidden.has(id))
          .sort()
          .reverse();
        const cursors = forwards.flatMap(({ cursor }) => cursor ?? []);
        const backwards = await walkBackwards(cursors, 100, between);
        for (const [i, found] of backwards.entries()) {
          // With a large limit, a backward page is everything before the position.
          const positions = cursors.toReversed();
          const after = new Set(await idsAfter(positions[i] as string));
          const wanted = existing.filter((id) => !after.has(id) && !hidden.has(id));
          expect(found.ids.filter((id) => wanted.includes(id))).toEqual(wanted);
        }
      },
    ),
    { numRuns: 25 },
  );
});

async function idsAfter(cursor: string): Promise<string[]> {
  return (await page(`limit=100&starting_after=${cursor}`)).ids;
}

function expectEachOnce(pages: Page[], atStart: string[], hidden: Set<string>): void {
  const seen = pages.flatMap(({ ids }) => ids);
  expect(new Set(seen).size, 'nothing twice').toBe(seen.length);
  const stayed = atStart.filter((id) => !hidden.has(id));
  expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
}

test('walks in both directions see every document that was there, while others write all the time', async () => {
  const atStart: string[] = [];
  for (let i = 0; i < 20; i++) atStart.unshift(await createDraft(app, company.key));
  const writers = startWriters(3);
  try {
    for (const limit of [1, 4, 7]) {
      const answered = [...writers.ids(), ...atStart].sort().reverse();
      const forwards = await walkForwards(limit, async () => {});
      expectEachOnce(forwards, answered, new Set());

      const cursors = forwards.flatMap(({ cursor }) => cursor ?? []);
      const backwards = await walkBackwards(cursors, limit, async () => {});
      // All pages but the last end at a position. The newest documents are left out: one with an earlier id
      // that committed later may still appear between them.
      const settled = ({ ids }: Page) => ids.filter((id) => atStart.includes(id));
      expect(backwards.toReversed().map(settled)).toEqual(forwards.slice(0, -1).map(settled));
    }
  } finally {
    await writers.stop();
  }
  expect(writers.ids().length).toBeGreaterThan(0);
});

/** Starts clients that create documents as fast as they are answered, until they are stopped. */
function startWriters(count: number) {
  let stopped = false;
  const ids: string[] = [];
  const running = Array.from({ length: count }, async () => {
    while (!stopped) {
      // The clock moves on, so that new documents get new times and the budget of the minute does not end the writing.
      app.clock.advance({ seconds: 1 });
      ids.push(await createDraft(app, company.key));
    }
  });
  return {
    ids: () => ids,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
