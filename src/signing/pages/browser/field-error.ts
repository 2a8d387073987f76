import { element } from './elements.ts';

/** Shows what is wrong next to the field (in `<id>-error`, an alert for the field) and focuses the field. */
export function showFieldError(field: HTMLElement, sentence: string): void {
  element(`${field.id}-error`).textContent = sentence;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
}

export function clearFieldError(field: HTMLElement): void {
  element(`${field.id}-error`).textContent = '';
  field.removeAttribute('aria-invalid');
}
