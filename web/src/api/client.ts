/** An error answer of the server, by code (src/console/core/console-error.ts), or a failed connection. */
export class ApiFailure extends Error {
  /** An error code of the server, or `unreachable`. */
  readonly code: string;
  /** HTTP status. 0 if there was no answer. */
  readonly status: number;
  /** The invalid property of the body. */
  readonly param: string | null;
  readonly retryAfterSeconds: number;

  constructor(code: string, status: number, message: string, param: string | null = null, retryAfterSeconds = 0) {
    super(message);
    this.code = code;
    this.status = status;
    this.param = param;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const answerWithinMs = 30_000;
const uploadWithinMs = 3_600_000;

/** The console API. Functions throw an `ApiFailure`. After a session ends, they go to the sign-in page, which leads back here. */
export const api = {
  get: <Answer>(path: string, signal?: AbortSignal) => request<Answer>('GET', path, undefined, signal),
  post: <Answer>(path: string, body: object = {}) => request<Answer>('POST', path, JSON.stringify(body)),
  /** Sends a file as the body. It has no time limit: the server has one. */
  upload: <Answer>(path: string, file: File) => request<Answer>('POST', path, file),
  remove: <Answer>(path: string) => request<Answer>('DELETE', path),
};

type Confirm = () => Promise<boolean>;

let confirmIdentity: Confirm | null = null;
let confirming: Promise<boolean> | null = null;

/** `confirm` is called when the server asks to confirm the identity. If it returns true, the request is repeated. */
export function onConfirmationNeeded(confirm: Confirm): () => void {
  confirmIdentity = confirm;
  return () => {
    confirmIdentity = null;
  };
}

async function request<Answer>(
  method: string,
  path: string,
  body?: string | File,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    return await send<Answer>(method, path, body, signal);
  } catch (error) {
    const isAsked = error instanceof ApiFailure && error.code === 'sign_in_again';
    if (!isAsked || confirmIdentity === null) throw error;
    // Concurrent requests share one confirmation.
    confirming ??= confirmIdentity().finally(() => {
      confirming = null;
    });
    if (!(await confirming)) throw error;
    return send<Answer>(method, path, body, signal);
  }
}

async function send<Answer>(method: string, path: string, body?: string | File, signal?: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(body instanceof File ? uploadWithinMs : answerWithinMs);
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`/console/api${path}`, {
      method,
      body: body ?? null,
      headers: typeof body === 'string' ? { 'content-type': 'application/json' } : {},
      cache: 'no-store',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure('unreachable', 0, String(error));
  }
  if (response.ok) return answer as Answer;
  throw failureOf(response, answer);
}

interface ErrorAnswer {
  error?: { code?: string; message?: string; param?: string };
}

export function failureOf(response: Pick<Response, 'status' | 'headers'>, answer: unknown): ApiFailure {
  const { code = 'failed', message = '', param } = (answer as ErrorAnswer).error ?? {};
  if (code === 'not_signed_in') signInAgain();
  const retryAfter = Number(response.headers.get('retry-after') ?? 0);
  return new ApiFailure(code, response.status, message, param ?? null, retryAfter);
}

let isLeaving = false;

/**
 * Signs out and leaves for the address that `find` returns. Requests that are still running then fail. They must not lead to
 * the sign-in page.
 */
export async function leaveFor(find: () => Promise<string>): Promise<void> {
  isLeaving = true;
  try {
    location.assign(await find());
  } catch (error) {
    isLeaving = false;
    throw error;
  }
}

/** Goes to the sign-in page, which leads back to the current address. */
export function signInAgain(): void {
  if (isLeaving) return;
  location.assign(`/?to=${encodeURIComponent(location.pathname + location.search)}`);
}
