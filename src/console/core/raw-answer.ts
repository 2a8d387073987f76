import type { Readable } from 'node:stream';

/** An answer that is not JSON: a picture, a file, an event stream. */
export class RawAnswer {
  readonly body: Buffer | Readable;
  /** Includes `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(body: Buffer | Readable, headers: Readonly<Record<string, string>>, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}
