import type { FieldType } from '../../../documents/field-types.ts';
import { element } from './elements.ts';
import { guessInput } from './guess-input.ts';

/** A row of the form: a field, or the radio buttons of a group. */
export interface FormRow {
  element: HTMLElement;
  /** The places of the fields on the pages, each with where it goes in the row. */
  parts: readonly { slot: HTMLElement; target: HTMLElement }[];
  /** The button that shows the field on its page. */
  show: HTMLElement;
  error: HTMLElement;
}

/** Makes the rows of all fields, in reading order, and adds them to the form. The fields stay on their pages. */
export function rowsOf(list: HTMLElement): FormRow[] {
  const groups = new Map<string, HTMLElement[]>();
  for (const slot of document.querySelectorAll<HTMLElement>('.sheet .slot')) {
    const group = controlOf(slot)?.dataset.group;
    const key = group === undefined ? `field ${slot.dataset.position} ${groups.size}` : `group ${group}`;
    groups.set(key, [...(groups.get(key) ?? []), slot]);
  }
  const rows = [...groups.values()].map((slots) => {
    const [slot] = slots as [HTMLElement];
    const control = controlOf(slot);
    if (control === null) return fixedRow(slot);
    return control.dataset.group === undefined ? fieldRow(slot, control) : groupRow(slots, control);
  });
  list.append(...rows.map((row) => row.element));
  return rows;
}

export function controlOf(slot: HTMLElement): HTMLInputElement | null {
  return slot.querySelector<HTMLInputElement>('.control');
}

function fieldRow(slot: HTMLElement, control: HTMLInputElement): FormRow {
  const { type } = control.dataset;
  const row = made('div', `form-row form-${type}`);
  const label = labelFor(control, slot);
  const target = made('div', 'form-control');
  const error = errorOf(control);
  const rule = type === 'number' || 'format' in control.dataset ? made('p', 'hint', control.title) : null;
  if (rule) rule.id = `${control.id}-rule`;
  control.setAttribute('aria-describedby', [rule?.id, error.id].filter(Boolean).join(' '));
  if (type === 'text') guessInput(control, slot.dataset.label ?? '');
  const show = showButton(slot.dataset.label ?? '');
  const about = made('p', 'hint', slot.dataset.about);
  if (type === 'checkbox') row.append(target, label, about);
  else row.append(label, about, ...(rule ? [rule] : []), target);
  row.append(error, show);
  return { element: row, parts: [{ slot, target }], show, error };
}

function groupRow(slots: readonly HTMLElement[], first: HTMLInputElement): FormRow {
  const row = made('fieldset', 'form-row form-group');
  const name = first.dataset.group ?? '';
  const legend = made('legend', '');
  legend.append(ownText('span', name, true), made('span', 'hint', ` ${slots[0]?.dataset.about}`));
  const error = errorOf(first);
  const show = showButton(name);
  const choices = slots.map((slot) => {
    const control = controlOf(slot) as HTMLInputElement;
    control.setAttribute('aria-describedby', error.id);
    const target = made('div', 'form-control');
    const choice = made('div', 'form-choice');
    choice.append(target, labelFor(control, slot));
    return { choice, part: { slot, target } };
  });
  row.append(legend, ...choices.map(({ choice }) => choice), error, show);
  return { element: row, parts: choices.map(({ part }) => part), show, error };
}

/** Renders a value of the sender as text. Its place on the page, which is a drawing, moves along but isn't seen. */
function fixedRow(slot: HTMLElement): FormRow {
  const { label = '', about, own } = slot.dataset;
  const row = made('div', 'form-row form-fixed');
  const target = made('div', 'form-control');
  const show = showButton(label);
  const value = made('p', 'form-value', slot.querySelector('span > span')?.textContent ?? '');
  value.dir = 'auto';
  row.append(ownText('p', label, own !== undefined), made('p', 'hint', about), value, target, show);
  row.firstElementChild?.classList.add('form-label');
  return { element: row, parts: [{ slot, target }], show, error: made('p', 'error') };
}

function labelFor(control: HTMLElement, { dataset }: HTMLElement): HTMLElement {
  const label = ownText('label', dataset.label ?? '', dataset.own !== undefined) as HTMLLabelElement;
  label.htmlFor = control.id;
  label.className = 'form-label';
  return label;
}

/** Renders a text, which is in the document's language if it is the sender's own. */
function ownText(tag: 'label' | 'p' | 'span', text: string, isOwn: boolean): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  made.dir = 'auto';
  const { lang } = element('title');
  if (isOwn && lang !== '') made.lang = lang;
  return made;
}

function errorOf({ id }: HTMLElement): HTMLElement {
  const error = made('p', 'error');
  error.id = `${id}-row-error`;
  return error;
}

function showButton(name: string): HTMLElement {
  const { show = '' } = element('form-view').dataset;
  const button = made('button', 'form-show', show) as HTMLButtonElement;
  button.type = 'button';
  button.setAttribute('aria-label', `${show}: ${name}`);
  return button;
}

function made(tag: string, className: string, text = ''): HTMLElement {
  const created = document.createElement(tag);
  if (className !== '') created.className = className;
  created.textContent = text;
  return created;
}

/** Returns what is wrong with a field that was marked as invalid. */
export function problemOf(control: HTMLInputElement): string {
  const { empty = '', tick = '', choose = '' } = element('form-view').dataset;
  const type = control.dataset.type as FieldType;
  if (control.dataset.rule && control.value.trim() !== '') return control.dataset.rule;
  if (type === 'number' && (control.readOnly || control.value.trim() !== '')) return control.title;
  if (type === 'checkbox') return tick;
  return type === 'dropdown' || type === 'radio' ? choose : empty;
}
