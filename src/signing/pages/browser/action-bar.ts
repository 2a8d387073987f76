import { element, fileTexts } from './elements.ts';
import type { Field, Marks } from './fields.ts';

export interface ActionBar {
  /** Shows what is left to fill in. */
  update(): void;
  /** Returns the first required field that is empty. */
  nextField(): Field | null;
  /** Moves the focus to the field and names it in `sign-problem`. */
  askForField(field: Field): void;
}

/** Sets up the bar. `Start` leads to the next required field. When none is left, `Sign` replaces it. */
export function setUpActionBar(fields: readonly Field[], marks: Marks): ActionBar {
  const bar = element('action-bar');
  const start = element('start');
  const sign = element('sign');
  const required = fields.filter(({ isRequired }) => isRequired);
  const missing = () => required.filter((field) => !field.isDone());
  const isNamed = () => marks.signature.textBox.value.trim() !== '' && marks.signature.value() !== null;

  const update = () => {
    const left = missing().length;
    const isReady = left === 0 && isNamed();
    element('left').textContent = sentence(left, required.length, isReady, 'approver' in bar.dataset);
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
    const [next] = missing();
    if (next) goTo(next.control);
    else {
      goTo(marks.signature.textBox);
      if (marks.signature.textBox.value.trim() !== '') marks.signature.askForMissing();
    }
  });
  keepClear(bar, '--bar');
  keepClear(element('file-tools'), '--tools');

  return {
    update,
    nextField: () => missing()[0] ?? null,
    askForField: (field) => {
      const { fieldMissing, fieldsMissing } = fileTexts();
      const words = missing().length > 1 ? fieldsMissing.replace('{count}', String(missing().length)) : fieldMissing;
      element('sign-problem').textContent = words.replace('{field}', field.control.dataset.shortName ?? '');
      goTo(field.control);
    },
  };
}

function sentence(left: number, total: number, isReady: boolean, isApprover: boolean): string {
  const { fieldsDone, nameLeft, ready, readyApprover } = fileTexts();
  if (isReady) return isApprover ? readyApprover : ready;
  if (left === 0) return nameLeft;
  return fieldsDone.replace('{done}', String(total - left)).replace('{total}', String(total));
}

/**
 * Keeps the focused element clear of a bar, at any text size. The first height is set at once, because the first Tab may
 * come before the browser reports a size. Later changes of the layout, such as a font that has loaded, may move the focused
 * element behind the bar. It is then scrolled into view.
 */
function keepClear(bar: HTMLElement, property: string): void {
  const update = () => {
    const isOver = getComputedStyle(bar).position === 'sticky';
    document.documentElement.style.setProperty(property, `${isOver ? bar.offsetHeight : 0}px`);
    if (isOver && coversFocus(bar)) document.activeElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  update();
  const observer = new ResizeObserver(update);
  observer.observe(bar);
  observer.observe(document.body);
}

function coversFocus(bar: HTMLElement): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || bar.contains(focused)) return false;
  const { top, bottom } = focused.getBoundingClientRect();
  const covered = bar.getBoundingClientRect();
  return top < covered.bottom && bottom > covered.top;
}
