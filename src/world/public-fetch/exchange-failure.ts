import { type FailureKind, PublicFetchError } from './public-fetch-error.ts';

const failures: Record<string, [FailureKind, string]> = {
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'the response headers are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['protocol', 'the response is not as long as it says'],
  ECONNRESET: ['connection', 'the connection was reset'],
  EPIPE: ['connection', 'the connection was reset'],
  ETIMEDOUT: ['connection', 'the connection went dead'],
};

/** What a failure on an open connection means, by the codes of the HTTP client and of sockets. */
export function exchangeFailure(error: Error): Error {
  if (error instanceof PublicFetchError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED') return error; // our caller's mistake
  const [kind, message] = failures[code] ?? byFamily(code, error);
  return new PublicFetchError(kind, message, code);
}

function byFamily(code: string, { name, message }: Error): [FailureKind, string] {
  if (code === 'UND_ERR_SOCKET') {
    // The client's words for an answer that nobody asked for.
    if (message.startsWith('bad ')) return ['protocol', 'the response is not what HTTP allows here'];
    return ['connection', 'the connection ended before the response was complete'];
  }
  if (name === 'HTTPParserError' || code === 'ERR_ASSERTION') return ['protocol', 'the response is not HTTP'];
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return ['tls', 'the TLS connection failed'];
  return ['connection', `the connection failed (${code || name})`];
}
