import type { ProgressBody } from '../script-contract.ts';
import { element, fileTexts } from './elements.ts';
import type { Field } from './fields.ts';
import { type Answer, post } from './post.ts';
import { explain, isSettled } from './submission.ts';
import { recall, remember } from './tab-memory.ts';

const quietMs = 800;
const retryMs = 5_000;

export interface Progress {
  changed(field: Field): void;
  save(): Promise<void>;
  /** Leaves a change of a field unsaved. Waits for a save that is under way, which may have it. */
  forget(field: Field): Promise<void>;
}

/**
 * Saves field values during filling in, for a reload or another device. Call `changed` for each change. After
 * a reload the server may not yet have the last save, so unconfirmed values are also stored in the tab and restored here. The
 * restored fields are added to `touched`.
 */
export function setUpProgress(fields: readonly Field[], touched: Set<Field>): Progress {
  const pending = new Map(Object.entries(recall<Record<string, string | null>>('unsaved') ?? {}));
  /** Values on their way. They are unconfirmed until the answer is there. */
  let sent: ReadonlyMap<string, string | null> = new Map();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<Answer> | null = null;

  const rememberUnconfirmed = () => remember('unsaved', Object.fromEntries([...sent, ...pending]));
  /** Whether the server would refuse the value. It stays in the tab, and the others are saved without it. */
  const isRefused = (id: string) => fields.some((field) => field.id === id && field.problem() !== null);
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  };
  const save = async () => {
    clearTimeout(timer);
    if (saving !== null) return;
    const ready = [...pending].filter(([id, value]) => value === null || !isRefused(id));
    if (ready.length === 0) return;
    sent = new Map(ready);
    for (const [id] of ready) pending.delete(id);
    const body: ProgressBody = { fields: Object.fromEntries(sent) };
    saving = post('progress', body);
    const answer = settled(await saving);
    saving = null;
    if (answer.kind !== 'done') {
      for (const [id, value] of sent) if (!pending.has(id)) pending.set(id, value);
    }
    sent = new Map();
    say(answer, pending.size === 0);
    rememberUnconfirmed();
    if (pending.size > 0 && isWorthAnotherTry(answer)) later(answer.kind === 'done' ? quietMs : retryMs);
  };

  addEventListener('online', () => void save());
  addEventListener('pagehide', () => void save());
  document.addEventListener('visibilitychange', () => void save());
  for (const field of fields) {
    const value = pending.get(field.id);
    if (value === undefined) continue;
    field.setValue(value);
    touched.add(field);
  }
  if (pending.size > 0) later(quietMs);
  const changed = (field: Field) => {
    pending.set(field.id, field.value());
    rememberUnconfirmed();
    element('saved').textContent = '';
    later(quietMs);
  };
  const forget = async ({ id }: Field) => {
    await saving;
    pending.delete(id);
    rememberUnconfirmed();
  };
  return { changed, save, forget };
}

/** Returns a refusal instead of an answer that saved nothing, because another tab has signed. */
function settled(answer: Answer): Answer {
  if (answer.kind !== 'done' || answer.state === 'open') return answer;
  return { kind: 'refused', code: 'already_signed', retryAfterSeconds: null };
}

/** Whether to retry. A document that has ended saves nothing, and invalid values are reported when the person signs. */
function isWorthAnotherTry(answer: Answer): boolean {
  return answer.kind !== 'refused' || answer.code === null || answer.code === 'temporarily_unavailable';
}

function say(answer: Answer, isAllSaved: boolean): void {
  const { saved, notSaved } = fileTexts();
  const words = answer.kind === 'done' && isAllSaved ? saved : '';
  element('saved').textContent = answer.kind === 'unreachable' ? notSaved : words;
  // While this page signs, its own signature is what the server has.
  const isSigning = element('sign').getAttribute('aria-disabled') === 'true';
  if (!isSigning && answer.kind === 'refused' && answer.code !== null && isSettled[answer.code]) {
    explain(answer, { problem: element('sign-problem') }, () => {});
  }
}
