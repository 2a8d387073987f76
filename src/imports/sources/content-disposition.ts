/** Returns the file name in a `Content-Disposition` header (RFC 6266). Prefers the extended form. */
export function nameInDisposition(header: string | undefined): string | null {
  if (header === undefined) return null;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // The extended form is malformed; the plain one may be valid.
    }
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  if (quoted !== undefined) return fromLatin1(quoted.replaceAll(/\\(.)/g, '$1'));
  const token = /;\s*filename\s*=\s*([^";\s]+)/i.exec(header)?.[1];
  return token === undefined ? null : fromLatin1(token);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Node.js reads header bytes as Latin-1, but many servers write UTF-8. */
function fromLatin1(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
