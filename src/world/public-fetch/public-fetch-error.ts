/** Whose fault a failure is, and of which stage. */
export type FailureKind =
  /** The URL's own text rules it out. */
  | 'refused_url'
  /** Its name leads to an address that is not public. */
  | 'not_public'
  /** Its name does not exist, has no address, or its name servers fail. */
  | 'dns'
  /** Nothing was reached, for a reason of this machine's: never held against the receiver. */
  | 'our_fault'
  /** The time limit of the whole call passed. */
  | 'timeout'
  /** Refused, unreachable, or ended before the answer was. */
  | 'connection'
  /** No trusted connection: the certificate, or the handshake. */
  | 'tls'
  /** What came is not HTTP, or has more headers than we take. */
  | 'protocol'
  /** The caller gave up, by its signal or by `close`. */
  | 'aborted';

/**
 * Why a call to a stranger's address failed. The message is a sentence that may be stored and shown: it names neither
 * path nor query, nor the address that a name of an inner network leads to. That, or an error code, is in `detail`, for a log.
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
