import { fileNameLengthMax } from '../../documents/attach-file.ts';
import { isStorable } from '../../documents/field.ts';
import type { Query } from '../../http/page-request.ts';
import { ConsoleError } from './console-error.ts';

/** Reads the name of an uploaded file: `?name=Lease.pdf`. Throws `invalid_input`. */
export function readFileName({ name }: Query): string {
  const isName = typeof name === 'string' && name.trim() !== '' && isStorable(name);
  if (!isName || [...name].length > fileNameLengthMax) throw new ConsoleError('invalid_input', { param: 'name' });
  return name;
}
