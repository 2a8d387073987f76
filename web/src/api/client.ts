/** What the server said no to, by its code (src/console/console-error.ts), or that it could not be reached. */
export class ApiFailure extends Error {
  /** A code of the server's, or `unreachable`. */
  readonly code: string;
  /** 0 when there was no answer. */
  readonly status: number;
  /** The property of the body that is at fault. */
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

/** The console's own API. Each throws an `ApiFailure`; who is signed out meanwhile is sent to sign in, and back here. */
export const api = {
  get: <Answer>(path: string, signal?: AbortSignal) => request<Answer>('GET', path, undefined, signal),
  post: <Answer>(path: string, body: object = {}) => request<Answer>('POST', path, JSON.stringify(body)),
  /** A file as the body. As long as it takes: the server ends what takes too long. */
  upload: <Answer>(path: string, file: File) => request<Answer>('POST', path, file),
  remove: <Answer>(path: string) => request<Answer>('DELETE', path),
};

type Confirm = () => Promise<boolean>;

let confirmIdentity: Confirm | null = null;
let confirming: Promise<boolean> | null = null;

/** `confirm` is called when the server asks who it is; true: it was told, and the request is repeated. */
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
    // Requests that fail together ask once.
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
 * Leaves for the address that `find` comes to, and signs out on the way: what the page still asks meanwhile is refused,
 * and must not lead to the sign-in page instead.
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

/** To the sign-in page, which leads back to where one is. */
export function signInAgain(): void {
  if (isLeaving) return;
  location.assign(`/?to=${encodeURIComponent(location.pathname + location.search)}`);
}
