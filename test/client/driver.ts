/** Settings of a client, named as in the TypeScript client. */
export interface ClientSettings {
  baseUrl: string;
  apiKey: string;
  timeoutMs?: number;
  retriesMax?: number;
  retryBaseMs?: number;
  retryDelayMaxMs?: number;
  inProgressWaitMaxMs?: number;
}

export interface Failure {
  /** The name of the error class. */
  class: string;
  message: string;
  status?: number;
  type?: string;
  code?: string;
  param?: string | null;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  idempotencyKey?: string | null;
  isOutcomeUnknown?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a result is whatever the test expects it to be
export type Outcome = { result: any; error?: undefined } | { error: Failure; result?: undefined };

export type Operation =
  | 'account'
  | 'documents.list'
  | 'documents.page'
  | 'documents.create'
  | 'documents.get'
  | 'documents.send'
  | 'documents.recipients'
  | 'documents.download'
  /** Returns the length of the PDF. */
  | 'documents.pdf'
  | 'imports.list'
  | 'imports.start'
  | 'imports.get'
  | 'imports.items'
  /** Takes an object with `body`, `header`, `secret`, `toleranceSeconds` and `now` (unix seconds). */
  | 'verifyWebhook';

/** Runs a client for the contract test. Results and arguments are plain JSON. */
export interface ClientDriver {
  name: string;
  call(settings: ClientSettings, operation: Operation, ...given: unknown[]): Promise<Outcome>;
  stop(): void;
}
