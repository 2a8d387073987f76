import { type FailureKind, PublicFetchError } from './public-fetch-error.ts';

const failures: Record<string, [FailureKind, string]> = {
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'the response headers are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['connection', 'the connection ended in the middle of the response'],
  HPE_INVALID_EOF_STATE: ['connection', 'the connection ended in the middle of the response'],
  ECONNRESET: ['connection', 'the connection was reset'],
  EPIPE: ['connection', 'the connection was reset'],
  ETIMEDOUT: ['connection', 'the connection went dead'],
};

/** What a failure on an open connection means, by the codes of the HTTP client and of sockets. */
export function exchangeFailure(error: Error): Error {
  if (error instanceof PublicFetchError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED') return error; // our caller's mistake
  const [kind, message] = failures[code] ?? byFamily(code, error.message);
  return new PublicFetchError(kind, message, code, { cause: error });
}

function byFamily(code: string, message: string): [FailureKind, string] {
  if (code === 'UND_ERR_SOCKET') {
    // The client's word for an answer that nobody asked for, of a kind that must not come.
    if (message.startsWith('bad ')) return ['protocol', 'the response is not what HTTP allows here'];
    return ['connection', 'the connection ended before the response'];
  }
  if (code.startsWith('HPE_') || code === 'ERR_ASSERTION') return ['protocol', 'the response is not HTTP'];
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return ['tls', 'the TLS connection failed'];
  return ['connection', `the connection failed (${code})`];
}
