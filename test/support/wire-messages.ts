/**
 * The part of PostgreSQL's protocol, version 3, that shows which statement is sent. After a first message without a type,
 * every message is one letter, a length that includes itself, and a body.
 */
export interface WireMessage {
  /** `''` for the first message of a client. */
  type: string;
  bytes: Buffer;
}

/** Splits a stream into messages, independent of its chunks. */
export function messageSplitter(begins: 'with start-up' | 'typed'): (chunk: Buffer) => WireMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  let typed = begins === 'typed';

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: WireMessage[] = [];
    for (;;) {
      const typeBytes = typed ? 1 : 0;
      if (rest.length < typeBytes + 4) return messages;
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return messages;
      messages.push({ type: rest.toString('latin1', 0, typeBytes), bytes: rest.subarray(0, end) });
      rest = rest.subarray(end);
      typed = true;
    }
  };
}

/**
 * Returns the name of the statement that begins with a client's message, or null if none does. Statements without a name
 * and simple queries are named by their text.
 */
export function statementReader(): (message: WireMessage) => string | null {
  let parsed: string | null = null;
  return ({ type, bytes }) => {
    const body = bytes.subarray(5);
    if (type === 'Q') return textAt(body, 0);
    if (type === 'P') {
      const name = textAt(body, 0);
      parsed = name || textAt(body, 1);
      return parsed;
    }
    if (type !== 'B') return null;
    // The statement just parsed has been named already.
    const begins = parsed === null ? textAt(body, textAt(body, 0).length + 1) : null;
    parsed = null;
    return begins;
  };
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}
