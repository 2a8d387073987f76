import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ListCursor, nextPage } from './list-cursor.ts';

interface Envelope {
  id: string;
  completedAt: string;
}

const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString();
const start: ListCursor = { from: at(0), position: 0, anchor: null };
const pagesMax = 2000;

/** A vendor whose list changes before each page as `change` says; it lists at most `listedMax`, in the order given. */
function listAll(
  envelopes: Envelope[],
  count: number,
  {
    listedMax = count,
    tellsTotal = true,
    tellsNext = false,
    inOrder = (list: Envelope[]) =>
      list.toSorted((a, b) => compare(a.completedAt, b.completedAt) || compare(a.id, b.id)),
    change = (_page: number) => {},
  },
): Set<string> {
  const seen = new Set<string>();
  let cursor = start;
  for (let page = 0; page < pagesMax; page += 1) {
    change(page);
    const found = inOrder(envelopes.filter(({ completedAt }) => completedAt >= cursor.from));
    const listed = found.slice(cursor.position, cursor.position + Math.min(count, listedMax));
    for (const { id } of listed) seen.add(id);
    const isFollowed = tellsNext && cursor.position + listed.length < found.length;
    const total = tellsTotal ? found.length : null;
    const next = nextPage(cursor, { envelopes: listed, total, isFollowed }, count);
    if (next.kind === 'end') return seen;
    cursor = next.cursor;
  }
  throw new Error('the listing does not end');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const minutes = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 60 });
const made = (list: number[]) => list.map((minute, index) => ({ id: `e${index}`, completedAt: at(minute) }));
const pageSize = fc.integer({ min: 2, max: 24 });

test('every envelope is listed, oldest or newest first, whatever the size of the pages and what shares a moment', () => {
  fc.assert(
    fc.property(minutes, pageSize, fc.boolean(), fc.constantFrom(1, -1), (list, count, tellsTotal, direction) => {
      const envelopes = made(list);
      const inOrder = (found: Envelope[]) =>
        found.toSorted((a, b) => direction * compare(a.completedAt, b.completedAt) || compare(a.id, b.id));
      expect(listAll(envelopes, count, { tellsTotal, inOrder }).size).toBe(envelopes.length);
    }),
    { numRuns: 300 },
  );
});

test('a vendor that lists fewer than were asked for loses none while it tells how many there are', () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 4 }), (list, listedMax) => {
      expect(listAll(made(list), 9, { listedMax }).size).toBe(list.length);
    }),
  );
});

test('nor one that says on each page but the last that another follows, and no total or a wrong one', () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 4 }), (list, listedMax) => {
      expect(listAll(made(list), 9, { listedMax, tellsTotal: false, tellsNext: true }).size).toBe(list.length);
    }),
  );
  const page = [at(1), at(2)].map((completedAt) => ({ id: completedAt, completedAt }));
  expect(nextPage(start, { envelopes: page, total: 2, isFollowed: true }, 2).kind).toBe('page');
  expect(nextPage(start, { envelopes: [], total: 9, isFollowed: true }, 2).kind).toBe('end');
});

test('of a list that ascends none is missed that stays, however many are deleted or completed before each page', () => {
  const changes = fc.array(
    fc.record({
      deleted: fc.array(fc.nat(80), { maxLength: 6 }),
      completed: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 2 }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(minutes, pageSize, changes, (list, count, steps) => {
      const envelopes = made(list);
      const before = new Set(envelopes.map(({ id }) => id));
      const change = (page: number) => {
        const step = steps[page];
        if (page === 0 || step === undefined) return;
        for (const index of step.deleted) if (envelopes.length > 0) envelopes.splice(index % envelopes.length, 1);
        envelopes.push(...step.completed.map((minute, n) => ({ id: `late${page}-${n}`, completedAt: at(minute) })));
      };
      const seen = listAll(envelopes, count, { change });
      const stayed = envelopes.filter(({ id }) => before.has(id)).map(({ id }) => id);
      expect(stayed.filter((id) => !seen.has(id))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a list that loses an envelope before each page is read once, not back and forth', () => {
  const envelopes = made(Array.from({ length: 1000 }, () => 0)).map((envelope, index) => ({
    ...envelope,
    id: String(index).padStart(4, '0'),
  }));
  let pages = 0;
  const change = (page: number) => {
    pages = page + 1;
    if (page > 0) envelopes.shift();
  };
  const seen = listAll(envelopes, 100, { change });
  expect(envelopes.filter(({ id }) => !seen.has(id))).toEqual([]);
  expect(pages).toBeLessThan(15);
});

test('what cannot be read has its place in the list', () => {
  const page = [null, { id: 'a', completedAt: at(1) }, { id: 'b', completedAt: at(1) }, null];
  expect(nextPage(start, { envelopes: page, total: 9, isFollowed: false }, 4)).toEqual({
    kind: 'page',
    cursor: { from: at(0), position: 2, anchor: 'b' },
  });
  expect(nextPage(start, { envelopes: [null, null], total: 9, isFollowed: false }, 2)).toEqual({
    kind: 'page',
    cursor: { from: at(0), position: 2, anchor: null },
  });
});
