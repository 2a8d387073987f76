/** Cause and stage of a failure. */
export type FailureKind =
  /** The text of the URL is refused. */
  | 'refused_url'
  /** The host has an address that is not public. */
  | 'not_public'
  /** The name does not exist, has no address, or its name servers fail. */
  | 'dns'
  /** This machine could not connect. Never counts against the receiver. */
  | 'our_fault'
  /** The time limit of the whole call passed. */
  | 'timeout'
  /** Refused, unreachable, or ended before the answer was complete. */
  | 'connection'
  /** The certificate or the handshake failed. */
  | 'tls'
  /** The answer is not HTTP or has too many headers. */
  | 'protocol'
  /** The caller aborted, by its signal or by `close`. */
  | 'aborted';

/**
 * Thrown when a call to a user's URL fails. The message is a sentence that may be stored and shown. It names neither
 * the path and query nor a private address. An address or error code for the log is in `detail`.
 */
export class PublicFetchError extends Error {
  readonly kind: FailureKind;
  readonly detail: string | null;

  constructor(kind: FailureKind, message: string, detail: string | null = null) {
    super(message);
    this.name = 'PublicFetchError';
    this.kind = kind;
    this.detail = detail;
  }
}
