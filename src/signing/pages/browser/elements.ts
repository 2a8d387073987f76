import type { FileScriptTexts, ScriptTexts } from '../script-contract.ts';

/** An element the server always renders where this is called. Missing it is a bug worth an error in the console. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** The sender looks at what a party will see: nothing is sent, and nothing kept. */
export function isPreview(): boolean {
  return 'preview' in element('page').dataset;
}

let parsed: ScriptTexts | undefined;

export function texts(): ScriptTexts {
  parsed ??= JSON.parse(element('texts').textContent ?? '{}') as ScriptTexts;
  return parsed;
}

let parsedForFile: FileScriptTexts | undefined;

/** Only on a page with a file. */
export function fileTexts(): FileScriptTexts {
  parsedForFile ??= JSON.parse(element('file-texts').textContent ?? '{}') as FileScriptTexts;
  return parsedForFile;
}
