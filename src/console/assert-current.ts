import { type Document, isUnsent } from '../documents/document.ts';
import { ConsoleError } from './console-error.ts';

/**
 * Every change of a document is audited, so the number of the last entry tells whether it still is what a page was made
 * from: `version` is the one that page was given. Takes the locked document. Throws `refused` for one that was sent, and
 * `changed_meanwhile`.
 */
export function assertCurrent({ audit_seq, status }: Pick<Document, 'audit_seq' | 'status'>, version: number): void {
  if (!isUnsent(status)) throw new ConsoleError('refused');
  if (audit_seq !== version) throw new ConsoleError('changed_meanwhile');
}
