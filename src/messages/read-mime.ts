/** A header section and what follows it. Names of headers are in lower case. */
export interface MimePart {
  headers: ReadonlyMap<string, string>;
  /** As it was transferred: see `decodedBody`. */
  body: string;
}

const headersMax = 500;
const valueLengthMax = 8192;

/** Reads the headers of a message, a part or a group of fields, up to the first empty line. The first of two headers counts. */
export function readPart(text: string): MimePart {
  const end = /(?:^|\n)\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n', headersMax);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (/^[!-9;-~]+$/.test(name) && !headers.has(name))
      headers.set(name, line.slice(colon + 1, colon + 1 + valueLengthMax).trim());
  }
  return { headers, body: end === null ? '' : text.slice(end.index + end[0].length) };
}

export interface ContentType {
  /** In lower case, such as `multipart/report`. */
  type: string;
  parameters: ReadonlyMap<string, string>;
}

/** Reads a Content-Type (RFC 2045), without comments and continued parameters. */
export function readContentType({ headers }: Pick<MimePart, 'headers'>): ContentType {
  const value = headers.get('content-type') ?? 'text/plain';
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain] of value.matchAll(/;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g)) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return { type: (/^[^;\s]+/.exec(value)?.[0] ?? '').toLowerCase(), parameters };
}

const partsMax = 50;

/** Splits the body of a multipart by its boundary (RFC 2046). Parts after the fiftieth are left out. */
export function splitParts(body: string, boundary: string): MimePart[] {
  const parts: string[][] = [];
  for (const line of body.split('\n')) {
    const mark = line.trimEnd();
    if (mark === `--${boundary}--`) break;
    if (mark === `--${boundary}`) {
      if (parts.length === partsMax) break;
      parts.push([]);
    } else {
      parts.at(-1)?.push(line);
    }
  }
  return parts.map((lines) => readPart(lines.join('\n')));
}

/** Returns a body without its transfer encoding. Bytes that are not UTF-8 are replaced. */
export function decodedBody({ headers, body }: MimePart): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return unixLines(Buffer.from(body, 'base64').toString('utf8'));
  if (encoding !== 'quoted-printable') return body;
  const joined = body.replace(/=[ \t]*\n/g, '');
  const bytes = joined.replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return unixLines(Buffer.from(bytes, 'latin1').toString('utf8'));
}

/** Returns a text with line ends of one character. */
export function unixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
