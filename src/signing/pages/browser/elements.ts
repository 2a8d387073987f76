import type { FileScriptTexts, ScriptTexts } from '../script-contract.ts';

/** Returns an element that the server always renders here. Throws if it is missing, which is a bug. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Whether the sender previews the page. A preview sends and stores nothing. */
export function isPreview(): boolean {
  return 'preview' in element('page').dataset;
}

let parsed: ScriptTexts | undefined;

export function texts(): ScriptTexts {
  parsed ??= JSON.parse(element('texts').textContent ?? '{}') as ScriptTexts;
  return parsed;
}

let parsedForFile: FileScriptTexts | undefined;

/** Returns the texts of pages with a file. */
export function fileTexts(): FileScriptTexts {
  parsedForFile ??= JSON.parse(element('file-texts').textContent ?? '{}') as FileScriptTexts;
  return parsedForFile;
}

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
