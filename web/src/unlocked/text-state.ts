import type { Caret } from './edit-rows.ts';
import { type Row, toRows } from './rows.ts';
import type { TextPage } from './types.ts';

/** A loaded page of the document. */
export interface PageState {
  rows: Row[];
  /** The rows on the server, as far as known. */
  saved: Row[];
  /** The version and base that the rows are based on. */
  version: number;
  base: string;
  /** In points. */
  size: { width: number; height: number };
}

interface Step {
  page: number;
  before: Row[];
  after: Row[];
  /** The kind of typing that continues the current undo step. */
  typing: string | null;
}

export interface TextState {
  pages: ReadonlyMap<number, PageState>;
  past: readonly Step[];
  future: readonly Step[];
  /** The new position of the caret. A new object for each move. */
  caret: (Caret & { page: number }) | null;
}

export type TextAction =
  | { type: 'read'; page: TextPage }
  | { type: 'edited'; page: number; rows: Row[]; caret: Caret | null; typing: string | null }
  | { type: 'undone' }
  | { type: 'redone' }
  | { type: 'saved'; version: number; pages: readonly { page: number; rows: Row[] }[] }
  /** The answer to a save was lost, so what the server has is unknown. Also pages that are undone meanwhile are saved again. */
  | { type: 'lost'; pages: readonly number[] }
  /** The conflicting version of someone else, which the user takes or replaces. */
  | { type: 'theirs'; page: TextPage; isTaken: boolean }
  | { type: 'forgotten' };

export const emptyText: TextState = { pages: new Map(), past: [], future: [], caret: null };

const stepsMax = 500;

export function changeText(state: TextState, action: TextAction): TextState {
  switch (action.type) {
    case 'read':
      return state.pages.has(action.page.page) ? state : { ...state, pages: withPage(state, pageOf(action.page)) };
    case 'edited':
      return edit(state, action);
    case 'undone':
      return step(state, state.past.at(-1), 'before');
    case 'redone':
      return step(state, state.future.at(-1), 'after');
    case 'saved':
      return save(state, action);
    case 'lost':
      return lose(state, action);
    case 'theirs':
      return meet(state, action);
    case 'forgotten':
      return emptyText;
  }
}

function pageOf({ page, blocks, version, base, width, height }: TextPage): [number, PageState] {
  const rows = toRows(blocks);
  return [page, { rows, saved: rows, version, base, size: { width, height } }];
}

function withPage(state: TextState, ...entries: [number, PageState][]): Map<number, PageState> {
  return new Map([...state.pages, ...entries]);
}

function edit(state: TextState, { page, rows, caret, typing }: Extract<TextAction, { type: 'edited' }>): TextState {
  const known = state.pages.get(page);
  if (known === undefined || known.rows === rows) return state;
  const last = state.past.at(-1);
  const goesOn = typing !== null && last?.typing === typing && last.page === page;
  const made: Step = { page, before: goesOn ? last.before : known.rows, after: rows, typing };
  return {
    pages: withPage(state, [page, { ...known, rows }]),
    past: [...(goesOn ? state.past.slice(0, -1) : state.past.slice(-stepsMax)), made],
    future: [],
    caret: caret === null ? state.caret : { ...caret, page },
  };
}

function step(state: TextState, of: Step | undefined, to: 'before' | 'after'): TextState {
  const known = of && state.pages.get(of.page);
  if (of === undefined || known === undefined) return state;
  const isUndo = to === 'before';
  const rows = of[to];
  const changed = rows.find((row, index) => row !== known.rows[index]) ?? rows.at(-1);
  const at = changed !== undefined && 'text' in changed ? changed.text.length : 0;
  return {
    pages: withPage(state, [of.page, { ...known, rows }]),
    past: isUndo ? state.past.slice(0, -1) : [...state.past, { ...of, typing: null }],
    future: isUndo ? [...state.future, { ...of, typing: null }] : state.future.slice(0, -1),
    caret: changed === undefined ? state.caret : { key: changed.key, at, page: of.page },
  };
}

function save(state: TextState, { version, pages }: Extract<TextAction, { type: 'saved' }>): TextState {
  const entries = pages.flatMap(({ page, rows }): [number, PageState][] => {
    const known = state.pages.get(page);
    return known === undefined ? [] : [[page, { ...known, saved: rows, version }]];
  });
  return { ...state, pages: withPage(state, ...entries) };
}

const unknown: Row[] = [];

function lose(state: TextState, { pages }: Extract<TextAction, { type: 'lost' }>): TextState {
  const entries = pages.flatMap((page): [number, PageState][] => {
    const known = state.pages.get(page);
    return known === undefined ? [] : [[page, { ...known, saved: unknown }]];
  });
  return { ...state, pages: withPage(state, ...entries) };
}

/** Takes the other version. Undo restores the own one. */
function meet(state: TextState, { page, isTaken }: Extract<TextAction, { type: 'theirs' }>): TextState {
  const [number, theirs] = pageOf(page);
  const mine = state.pages.get(number);
  if (mine === undefined) return state;
  if (!isTaken) return { ...state, pages: withPage(state, [number, { ...theirs, rows: mine.rows }]) };
  const made: Step = { page: number, before: mine.rows, after: theirs.rows, typing: null };
  return {
    ...state,
    pages: withPage(state, [number, theirs]),
    past: [...state.past.slice(-stepsMax), made],
    future: [],
  };
}

/** Lists the pages with unsaved changes. */
export function unsavedPages({ pages }: TextState): { page: number; state: PageState }[] {
  return [...pages].filter(([, { rows, saved }]) => rows !== saved).map(([page, state]) => ({ page, state }));
}
