import type { Readable } from 'node:stream';

/** What an action answers that is not JSON: a picture, a file, a stream of events. */
export class RawAnswer {
  readonly body: Buffer | Readable;
  /** With `content-type`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Buffer | Readable, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** The `content-disposition` of what is saved under a document's title, never opened. `extension` without its dot. */
export function savedAs(title: string, extension: string): string {
  const name = encodeURIComponent(title).replaceAll("'", '%27');
  return `attachment; filename="document.${extension}"; filename*=UTF-8''${name}.${extension}`;
}
