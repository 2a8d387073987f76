import { element } from './elements.ts';

/** Says what is wrong beside the field (its `<id>-error`, an alert tied to it), and takes the reader there. */
export function showFieldError(field: HTMLElement, sentence: string): void {
  element(`${field.id}-error`).textContent = sentence;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
}

export function clearFieldError(field: HTMLElement): void {
  element(`${field.id}-error`).textContent = '';
  field.removeAttribute('aria-invalid');
}
