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
