import type { Document } from './document.ts';
import { documentJson } from './json.ts';

/** Returns the document as events show it. A restricted document shows only its id. */
export function eventDocument(document: Document): object {
  return document.restricted_kind === null ? documentJson(document) : { id: document.id };
}
