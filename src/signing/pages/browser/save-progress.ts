import type { ProgressBody } from '../script-contract.ts';
import { element, fileTexts } from './elements.ts';
import type { Field } from './fields.ts';
import { type Answer, post } from './post.ts';
import { explain, isSettled } from './submission.ts';
import { recall, remember } from './tab-memory.ts';

const quietMs = 800;
const retryMs = 5_000;

/**
 * Saves what is filled in while one goes on, so that it is there after a reload and on another device. Call what it returns
 * for each change. A page that is loaded anew is rendered before the last save of the one before has arrived: what was
 * not known to be saved is kept in the tab, and brought back here.
 */
export function setUpProgress(fields: readonly Field[]): (field: Field) => void {
  const pending = new Map(Object.entries(recall<Record<string, string | null>>('unsaved') ?? {}));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaving = false;

  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  };
  const save = async () => {
    clearTimeout(timer);
    if (pending.size === 0 || isSaving) return;
    isSaving = true;
    const sent = new Map(pending);
    pending.clear();
    const body: ProgressBody = { fields: Object.fromEntries(sent) };
    const answer = await post('progress', body);
    isSaving = false;
    if (answer.kind !== 'done') {
      for (const [id, value] of sent) if (!pending.has(id)) pending.set(id, value);
    }
    say(answer);
    remember('unsaved', Object.fromEntries(pending));
    if (pending.size > 0 && isWorthAnotherTry(answer)) later(answer.kind === 'done' ? quietMs : retryMs);
  };

  addEventListener('online', () => void save());
  addEventListener('pagehide', () => void save());
  document.addEventListener('visibilitychange', () => void save());
  for (const field of fields) {
    const value = pending.get(field.id);
    if (value !== undefined) field.setValue(value);
  }
  if (pending.size > 0) later(quietMs);
  return (field) => {
    pending.set(field.id, field.value());
    remember('unsaved', Object.fromEntries(pending));
    element('saved').textContent = '';
    later(quietMs);
  };
}

/** A document that has ended takes nothing any more. What the service cannot accept is told when one signs. */
function isWorthAnotherTry(answer: Answer): boolean {
  return answer.kind !== 'refused' || answer.code === null || answer.code === 'temporarily_unavailable';
}

function say(answer: Answer): void {
  const { saved, notSaved } = fileTexts();
  element('saved').textContent = answer.kind === 'done' ? saved : answer.kind === 'unreachable' ? notSaved : '';
  if (answer.kind === 'refused' && answer.code !== null && isSettled[answer.code]) {
    explain(answer, { problem: element('sign-problem') }, () => {});
  }
}
