import { type Document, isUnsent } from '../../documents/document.ts';
import { ConsoleError } from '../core/console-error.ts';

/**
 * Throws `changed_meanwhile` if a document changed after the caller read it as `version`, and `refused` if it was sent.
 * Every change is audited, so the number of the last audit entry is the version. Takes the locked document.
 */
export function assertCurrent({ audit_seq, status }: Pick<Document, 'audit_seq' | 'status'>, version: number): void {
  if (!isUnsent(status)) throw new ConsoleError('refused');
  if (audit_seq !== version) throw new ConsoleError('changed_meanwhile');
}
