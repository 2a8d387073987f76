import type { Document } from './document.ts';
import { documentJson } from './json.ts';

/** The document as an event tells of it: a sensitive paper shows only its id (spec.md, Events). */
export function eventDocument(document: Document): object {
  return document.restricted_kind === null ? documentJson(document) : { id: document.id };
}
