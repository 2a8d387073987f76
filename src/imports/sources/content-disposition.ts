/** The file's name in a `Content-Disposition` header (RFC 6266), the extended form before the plain one. */
export function nameInDisposition(header: string | undefined): string | null {
  if (header === undefined) return null;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Not what it says it is: the plain form may be.
    }
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  if (quoted !== undefined) return fromLatin1(quoted.replaceAll(/\\(.)/g, '$1'));
  const token = /;\s*filename\s*=\s*([^";\s]+)/i.exec(header)?.[1];
  return token === undefined ? null : fromLatin1(token);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Header bytes come as latin1; many servers write UTF-8. */
function fromLatin1(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
