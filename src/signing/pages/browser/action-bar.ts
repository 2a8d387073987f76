import { element, fileTexts } from './elements.ts';
import type { Field, Marks } from './fields.ts';

export interface ActionBar {
  /** Says what is left now. */
  update(): void;
  /** The first field that has to be filled in and is not. */
  nextField(): Field | null;
  /** Takes the reader to it, with its name in `sign-problem`. */
  askForField(field: Field): void;
}

/** `Start` leads to what is left, one after the other; when nothing is, `Sign` takes its place. */
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
    // A long way is jumped: gliding over eighty pages would load them all.
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

/** What gets the focus is scrolled to where no bar covers it, however high the bar is at this size of letters. */
function keepClear(bar: HTMLElement, property: string): void {
  new ResizeObserver(() => {
    const height = getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0;
    document.documentElement.style.setProperty(property, `${height}px`);
  }).observe(bar);
}
