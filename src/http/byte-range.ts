/** The first and the last byte of a part, counted from 0. */
export interface RequestedRange {
  first: number;
  last: number;
}

const one = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Reads a `Range` header for a file of `size` bytes (RFC 9110, section 14). Null asks for the whole file: there is no header, it
 * has several ranges or another unit, or `If-Range` names another version than `etag`. `unsatisfiable` lies behind the end.
 */
export function readByteRange(
  range: string | undefined,
  ifRange: string | undefined,
  { size, etag }: { size: number; etag: string },
): RequestedRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = one.exec(range ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Number(to);
  if (last < first) return to === '' ? 'unsatisfiable' : null;
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
}
