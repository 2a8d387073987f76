import { tlsFaultOf } from './connect.ts';
import { type FailureKind, PublicFetchError } from './public-fetch-error.ts';

const failures: Record<string, [FailureKind, string]> = {
  HPE_HEADER_OVERFLOW: ['protocol', 'the response headers are too large'],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['protocol', 'the response is not as long as it says'],
  ECONNRESET: ['connection', 'the connection was reset'],
  EPIPE: ['connection', 'the connection was reset'],
  ETIMEDOUT: ['connection', 'the connection went dead'],
};

/** Messages of the HTTP client, under the code of a reset, for a connection that ended. */
const ended = new Set(['socket hang up', 'aborted']);

/** Translates a failure on an open connection by the codes of the HTTP client and of sockets. */
export function exchangeFailure(error: Error): Error {
  if (error instanceof PublicFetchError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const [kind, message] = ended.has(error.message)
    ? (['connection', 'the connection ended before the response was complete'] as const)
    : (failures[code] ?? byFamily(code, error));
  return new PublicFetchError(kind, message, code);
}

function byFamily(code: string, error: Error): [FailureKind, string] {
  // The parser reports a connection that ends in the headers as an invalid answer.
  if (code === 'HPE_INVALID_EOF_STATE') return ['connection', 'the connection ended before the response was complete'];
  if (code.startsWith('HPE_')) return ['protocol', 'the response is not HTTP'];
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return ['tls', tlsFaultOf(error) ?? 'the TLS connection failed'];
  return ['connection', `the connection failed (${code || error.name})`];
}
