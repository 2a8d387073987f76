import { splitWords } from '../../documents/document-filter.ts';
import type { Query } from '../../http/page-request.ts';
import { ConsoleError } from './console-error.ts';

const wordsLengthMax = 200;

/** Reads the search words of a query. Throws `invalid_input`. */
export function readWords(q: Query[string]): string[] {
  return splitWords(readSearchText(q));
}

/** Reads the text of a search, without spaces around it. `param` names it in the error. Throws `invalid_input`. */
export function readSearchText(q: Query[string], param = 'q'): string {
  if (q === undefined) return '';
  if (typeof q !== 'string' || q.length > wordsLengthMax || !q.isWellFormed() || q.includes('\u0000')) {
    throw new ConsoleError('invalid_input', { param });
  }
  return q.trim();
}
