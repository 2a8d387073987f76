import type { Consent } from './consent.ts';
import { element, fileTexts } from './elements.ts';
import type { Field, Marks } from './fields.ts';

export interface ActionBar {
  /** Shows what is left to fill in. */
  update(): void;
  /** Returns the first required field that is empty. */
  nextField(): Field | null;
  /** Moves the focus to the field and names it in `sign-problem`, with what is wrong with it. Default: that it is empty. */
  askForField(field: Field, problem?: string | null): void;
}

/**
 * Sets up the bar. `Start` leads to the first required field, and opens it when it has led there before. It is `Next` once
 * it was used or a field was filled in. A date doesn't count, because today is filled in. When nothing is left, the box for
 * consent included, `Sign` replaces the button. A page on which everything is filled in still offers `Start`, which shows the
 * signature before it is made.
 */
export function setUpActionBar(fields: readonly Field[], marks: Marks, consent: Consent): ActionBar {
  const bar = element('action-bar');
  const start = element('start');
  const sign = element('sign');
  const isApprover = 'approver' in bar.dataset;
  const entered = () =>
    fields.filter((field) => !field.isCalculated && field.isShown() && (field.isRequired || field.problem() !== null));
  // Results that are still missing count when everything they could come from is filled in.
  const blocked = () => fields.filter((field) => field.isCalculated && field.problem() !== null);
  const counted = () => (entered().every(({ isDone }) => isDone()) ? [...entered(), ...blocked()] : entered());
  const missing = () => counted().filter((field) => !field.isDone());
  const request = element('left').textContent ?? '';
  let hasStarted = false;
  let ledTo: Field | undefined;
  const hasBegun = () => hasStarted || marks.signature.isChosen();

  const update = () => {
    const left = missing().length;
    const isMade = marks.signature.value() !== null;
    const isMadeHere = left === 0 && isMade && hasBegun();
    const isReady = isMadeHere && consent.isGiven();
    const isOnlyUnseen = left === 0 && isMade && !hasBegun();
    const words = isMadeHere && !isReady ? fileTexts().consentLeft : null;
    element('left').textContent = isOnlyUnseen
      ? request
      : (words ?? sentence(left, counted().length, isReady, isApprover));
    if (hasStarted || counted().some(isFilledIn)) element('start-label').textContent = fileTexts().next;
    start.hidden = isReady;
    sign.classList.toggle('button-primary', isReady);
  };

  const goTo = (target: HTMLElement) => {
    // Long distances are jumped, because smooth scrolling over eighty pages would load them all.
    const isFar = Math.abs(target.getBoundingClientRect().top) > 2 * innerHeight;
    const isCalm = isFar || matchMedia('(prefers-reduced-motion: reduce)').matches;
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: isCalm ? 'instant' : 'smooth' });
    target.focus({ preventScroll: true });
    target.classList.add('is-next');
    target.addEventListener('blur', () => target.classList.remove('is-next'), { once: true });
  };

  start.addEventListener('click', () => {
    element('sign-problem').replaceChildren();
    const isMadeHere = hasBegun() && marks.signature.value() !== null;
    hasStarted = true;
    const [next] = missing();
    if (!next && isMadeHere && consent.box !== null && !consent.isGiven()) {
      goTo(consent.box);
      return update();
    }
    // Somebody who was led to a field, and chooses `Next` without filling it in, wants to know what to do there.
    const isAgain = next === ledTo;
    ledTo = next;
    // A button takes a mark or a file.
    if (next && isAgain && isInView(next.control))
      return next.control.matches('button') ? next.control.click() : askForField(next);
    goTo(next?.control ?? marks.signature.input);
    if (!next) marks.signature.input.select();
    if (!next && marks.signature.isChosen()) marks.signature.askForMissing();
    update();
  });
  const askForField = (field: Field, problem = field.problem()) => {
    const { fieldMissing, fieldsMissing } = fileTexts();
    const words = missing().length > 1 ? fieldsMissing.replace('{count}', String(missing().length)) : fieldMissing;
    const name = field.control.dataset.shortName ?? '';
    element('sign-problem').textContent =
      problem === null ? words.replace('{field}', () => name) : `${name}: ${problem}`;
    goTo(field.control);
  };
  keepClear({ '--bar': bar, '--tools': element('file-tools') });

  return {
    update,
    nextField: () => missing()[0] ?? null,
    askForField,
  };
}

function isInView(target: HTMLElement): boolean {
  const { top } = target.getBoundingClientRect();
  return top > 0 && top < innerHeight;
}

function isFilledIn({ type, isDone }: Field): boolean {
  return type !== 'date' && isDone();
}

function sentence(left: number, total: number, isReady: boolean, isApprover: boolean): string {
  const { fieldsDone, nameLeft, signatureLeft, ready, readyApprover } = fileTexts();
  if (isReady) return isApprover ? readyApprover : ready;
  if (left === 0) return isApprover ? nameLeft : signatureLeft;
  return fieldsDone.replace('{done}', String(total - left)).replace('{total}', String(total));
}

/**
 * Keeps the focused element clear of bars, at any text size. Their heights are custom properties of the page. The first ones are set
 * at once, because the first Tab may come before the browser reports a size. All are read before any is set: a phone takes
 * long to lay out a page of many fields. Later changes of the layout, such as a font that has loaded, may move the focused
 * element behind a bar. It is then scrolled into view.
 */
function keepClear(bars: Record<string, HTMLElement>): void {
  const update = () => {
    const heights = Object.entries(bars).map(([property, bar]) => {
      const isOver = getComputedStyle(bar).position === 'sticky';
      return { property, bar, isOver, height: `${isOver ? bar.offsetHeight : 0}px` };
    });
    for (const { property, height } of heights) document.documentElement.style.setProperty(property, height);
    for (const { bar, isOver } of heights) {
      if (isOver && coversFocus(bar)) document.activeElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    }
  };
  update();
  const observer = new ResizeObserver(update);
  for (const bar of Object.values(bars)) observer.observe(bar);
  observer.observe(document.body);
}

function coversFocus(bar: HTMLElement): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || bar.contains(focused)) return false;
  const { top, bottom } = focused.getBoundingClientRect();
  const covered = bar.getBoundingClientRect();
  return top < covered.bottom && bottom > covered.top;
}
