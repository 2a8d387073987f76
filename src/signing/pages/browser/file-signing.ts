import type { MarkKind } from '../../../mark-kinds.ts';
import type { SignBody } from '../script-contract.ts';
import { type ActionBar, setUpActionBar } from './action-bar.ts';
import { setUpCalculations } from './calculations.ts';
import { sayWhatChanged, showByCondition } from './conditions.ts';
import { type Consent, setUpConsent } from './consent.ts';
import { element, showFieldError, texts } from './elements.ts';
import { collectFields, type Field, type Marks, placeSlots } from './fields.ts';
import type { Leaving } from './language-menu.ts';
import { initialsInput, setUpMark, signatureInput } from './mark.ts';
import { setUpMarkFields } from './mark-fields.ts';
import { setUpProgress } from './save-progress.ts';
import { offerSaved } from './saved-offer.ts';
import { keepShown, whatWasShown } from './shown.ts';
import { setUpStamp, stampInput } from './stamp.ts';
import { onSubmission } from './submission.ts';
import { setUpUploadFields } from './upload-fields.ts';

/** Sets up signing a file: fields, signature, initials and stamp, the bar, and `Sign`. Returns what to do before the page is left. */
export function setUpFileSigning(): Leaving {
  placeSlots();
  const showAll = () => {
    showMarks();
    bar.update();
  };
  const marks: Marks = {
    signature: setUpMark('signature', () => showAll()),
    initials: document.getElementById('initials-text') ? setUpMark('initials', () => showAll()) : null,
    stamp: document.getElementById('stamp-upload') ? setUpStamp(() => showAll()) : null,
  };
  const fields = collectFields(marks);
  const consent = setUpConsent(() => bar.update());
  const bar = setUpActionBar(fields, marks, consent);
  const touched = new Set<Field>();
  const progress = setUpProgress(fields, touched);
  const changed = (field: Field) => {
    field.control.removeAttribute('aria-invalid');
    const slots = showByCondition();
    calculations.update();
    if (slots.size > 0) sayWhatChanged(slots);
    // With a field, others change: those that depend on it, and the other buttons of its group.
    const affected = fields.filter((other) => {
      const isInGroup = field.group !== undefined && other.group === field.group;
      const isAffected = other === field || isInGroup || slots.has(other.control.closest('.slot') as Element);
      // A null would remove the file, which comes back with the field.
      const hidesFile = other.type === 'upload' && !other.isShown();
      return isAffected && !hidesFile && !other.isCalculated && !dates.filled.has(other);
    });
    bar.update();
    for (const one of affected) {
      touched.add(one);
      progress.changed(one);
    }
  };
  const showMarks = setUpMarkFields(fields, marks, changed);
  const waitForUpload = setUpUploadFields(fields, progress, changed);
  const dates = setUpDates(fields, touched);
  for (const field of fields) {
    field.control.addEventListener('input', () => changed(field));
    if (field.isCalculated) continue;
    field.control.addEventListener('change', () => settle(field));
    field.control.addEventListener('change', () => calculations.announce());
  }
  showByCondition();
  const calculations = setUpCalculations(fields);
  guessInitials(marks);
  showAll();
  offerSaved(marks.initials === null ? [marks.signature] : [marks.signature, marks.initials]);
  keepShown();

  element('sign-form').addEventListener('submit', (event) => event.preventDefault());
  onSubmission({
    action: 'sign',
    button: element<HTMLButtonElement>('sign'),
    problem: element('sign-problem'),
    sending: texts().recording,
    body: () => {
      dates.fill();
      const isReady = !waitForUpload() && isComplete(marks, bar, consent);
      return isReady ? signBody(marks, fields, touched, consent) : null;
    },
    explainAtField: (code, words, param) => {
      if (code === 'invalid_full_name') showFieldError(marks.signature.input, words);
      else if (code === 'invalid_signature') {
        const mark = marks[param as MarkKind] ?? marks.signature;
        // A click on a filled field opens the dialog.
        fields.find(({ type, isDone }) => type === mark.kind && isDone())?.control.click();
        mark.showError(words);
      } else {
        const field = fields.find(({ id }) => id === param);
        if (!field) return false;
        bar.askForField(field, words);
      }
      return true;
    },
  });
  return { save: progress.save, refused: () => refusedNumbers(fields) };
}

function refusedNumbers(fields: readonly Field[]): Record<string, string> {
  const refused = fields.filter((field) => field.type === 'number' && !field.isCalculated && field.problem() !== null);
  return Object.fromEntries(refused.map(({ control }) => [control.id, (control as HTMLInputElement).value]));
}

function isComplete(marks: Marks, bar: ActionBar, consent: Consent): boolean {
  const next = bar.nextField();
  if (next === null) return !marks.signature.askForMissing() && !consent.askForMissing();
  next.control.setAttribute('aria-invalid', 'true');
  bar.askForField(next);
  return false;
}

/**
 * Returns the request body. An empty field is sent only if it was cleared here, because another tab may have filled it. Where
 * fields depend on others, empty choices are sent too: what another tab chose would show fields that this page has hidden. With
 * calculated fields, empty numbers are sent too: those of another tab would change results that this page has shown.
 */
function signBody(
  marks: Marks,
  fields: readonly Field[],
  touched: ReadonlySet<Field>,
  consent: Consent,
): SignBody | null {
  const signature = marks.signature.value();
  if (signature === null) return null;
  const hasConditions = document.querySelector('.slot[data-if]') !== null;
  const entered = fields.filter(({ isCalculated }) => !isCalculated);
  const decides = ({ type, isShown }: Field) =>
    isShown() &&
    (type === 'number' ? entered.length < fields.length : hasConditions && (type === 'dropdown' || type === 'radio'));
  const filled = entered.filter((field) => field.value() !== null || touched.has(field) || decides(field));
  const name = marks.signature.input.value.trim();
  const placed = (kind: MarkKind) =>
    fields.some(({ type, isDone }) => type === kind && isDone()) ? marks[kind]?.value() : null;
  const [initials, stamp] = [placed('initials'), placed('stamp')];
  return {
    ...(name === '' ? {} : { full_name: name }),
    signature: signatureInput(signature),
    ...whatWasShown(),
    ...consent.input(),
    ...(initials ? { initials: initialsInput(initials) } : {}),
    ...(stamp ? { stamp: stampInput(stamp) } : {}),
    ...(fields.length > 0
      ? { fields: Object.fromEntries(filled.map((field) => [field.id, field.value() ?? ''])) }
      : {}),
  };
}

/** Writes a number as the language does. Says what is wrong with an entry, or that nothing is wrong with it any more. */
function settle(field: Field): void {
  const { control } = field;
  const problem = field.problem();
  const box = element('sign-problem');
  const name = `${control.dataset.shortName}: `;
  if (problem !== null) {
    control.setAttribute('aria-invalid', 'true');
    box.textContent = name + problem;
    return;
  }
  if (field.type === 'number' || 'format' in control.dataset) field.setValue(field.value());
  if (box.textContent.startsWith(name)) box.textContent = '';
}

/**
 * Fills empty dates with today, also when the page is seen again, which may be on a later day. Leaves those that were cleared before
 * a reload. Returns those that nobody has entered since. They aren't saved, because they become the day of signing.
 */
function setUpDates(
  fields: readonly Field[],
  touched: ReadonlySet<Field>,
): { filled: ReadonlySet<Field>; fill(): void } {
  const isEmpty = ({ type, control }: Field) => type === 'date' && (control as HTMLInputElement).value === '';
  const filled = new Set(fields.filter((field) => isEmpty(field) && !touched.has(field)));
  const fill = () => {
    for (const field of filled) field.setValue(today());
  };
  for (const field of filled) field.control.addEventListener('input', () => filled.delete(field));
  fill();
  document.addEventListener('visibilitychange', fill);
  return { filled, fill };
}

/** Returns today's date in the browser's time zone, as the person would write it. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/**
 * Derives the initials from the name until they are typed: `MLH` for `Maria López Herrera`. Arabic letters are apart, because
 * they would join into a word.
 */
function guessInitials({ signature, initials }: Marks): void {
  if (initials === null) return;
  let isOwn = initials.isBegun();
  initials.input.addEventListener('input', (event) => {
    if (event.isTrusted) isOwn = true;
  });
  const guess = () => {
    if (isOwn) return;
    const words = signature.input.value.trim().split(/\s+/);
    const gap = /\p{Script=Arabic}/u.test(signature.input.value) ? ' ' : '';
    const letters = words.map((word) => [...word][0] ?? '').join(gap);
    initials.input.value = [...letters.toLocaleUpperCase()].slice(0, 5).join('');
    initials.input.dispatchEvent(new Event('input'));
  };
  signature.input.addEventListener('input', guess);
  guess();
}
