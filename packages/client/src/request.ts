import {
  ConnectionError,
  CountersignError,
  errorOf,
  mayHaveHappened,
  TimeoutError,
  withWriteDetails,
} from './errors.ts';
import { createRetries, pause, type RetrySettings, timerMsMax } from './retry.ts';

/** Settings of one call. */
export interface RequestOptions {
  /** Ends the call, its retries included. */
  signal?: AbortSignal;
  /** Time for each attempt, in milliseconds. While a PDF arrives: how long the server may be silent. */
  timeoutMs?: number;
  /** Further attempts after a failure that may pass. With 0, the call doesn't wait for an earlier request with its key either. */
  retriesMax?: number;
}

export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 255 characters without control characters. Made for each call when left out, and kept over its retries. Give your own
   * where a call may be repeated after a crash of your program, or after `signal` ended it. Errors of the call have it.
   */
  idempotencyKey?: string;
}

/** One answer of the server, retried ones included. */
export interface AnswerInfo {
  method: string;
  path: string;
  /** 1 is the first attempt. */
  attempt: number;
  status: number;
  requestId: string | null;
  /** Whether the server repeated an earlier answer to the same idempotency key. */
  isReplayed: boolean;
  /** Requests left in this minute and in this UTC day. */
  remaining: { burst: number | null; daily: number | null };
}

export interface Settings extends RetrySettings {
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
  timeoutMs: number;
  retriesMax: number;
  onAnswer: (answer: AnswerInfo) => void;
}

export interface ApiRequest {
  method: 'GET' | 'POST';
  /** Below the base URL, such as `/documents`. */
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  options: WriteOptions;
}

/** Sends a request, with retries, and returns the body of the answer. */
export type Send = <T>(request: ApiRequest) => Promise<T>;

export function createSend(settings: Settings): Send {
  return async <T>(request: ApiRequest) => {
    const url = settings.baseUrl + request.path + queryOf(request.query);
    const key = request.method === 'POST' ? idempotencyKeyOf(request.options) : null;
    const init = { method: request.method, headers: headersOf(request, settings, key), body: bodyOf(request) };
    let isOutcomeUnknown = false;
    const send = async (attempt: number, signal: AbortSignal) => {
      const response = await overNetwork(() => settings.fetch(url, { ...init, redirect: 'manual', signal }));
      settings.onAnswer(infoOf(request, attempt, response));
      assertNotRedirected(response);
      const text = await overNetwork(() => response.text());
      if (!response.ok) throw errorOf(response, parsed(text));
      const body = parsed(text);
      if (body === undefined) throw new CountersignError('The answer is not JSON. Check baseUrl.');
      if (!isAnswer(body)) throw new CountersignError('The answer is not one of the API. Check baseUrl.');
      return body as T;
    };
    const onFailure = (error: unknown) => {
      isOutcomeUnknown ||= mayHaveHappened(error);
    };
    return repeatedly(settings, request.options, send, onFailure).catch((error) => {
      if (key === null || !(error instanceof CountersignError)) throw error;
      throw withWriteDetails(error, { idempotencyKey: key, isOutcomeUnknown });
    });
  };
}

/**
 * Runs `attempt` until it succeeds, fails for good, or no retries or time to wait are left. Each attempt has its own time-out,
 * which begins again when it calls `restart`. `onFailure` gets the error of each.
 *
 * @throws what the last attempt threw, the reason of `options.signal`, or `TypeError` for a wrong option.
 */
export async function repeatedly<T>(
  settings: Settings,
  options: RequestOptions,
  attempt: (number: number, signal: AbortSignal, restart: () => void) => Promise<T>,
  onFailure: (error: unknown) => void = () => {},
): Promise<T> {
  const timeoutMs = checkedNumber('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1);
  const nextDelayMs = createRetries(
    settings,
    checkedNumber('retriesMax', options.retriesMax ?? settings.retriesMax, 0),
  );
  for (let number = 1; ; number += 1) {
    options.signal?.throwIfAborted();
    try {
      return await inTime(timeoutMs, options.signal, (signal, restart) => attempt(number, signal, restart));
    } catch (error) {
      onFailure(error);
      const delayMs = nextDelayMs(error);
      if (delayMs === null) throw error;
      await pause(delayMs, options.signal);
    }
  }
}

/** Runs `attempt` with a signal that aborts `timeoutMs` after the start or the last `restart`, or when `outer` does. */
async function inTime<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  attempt: (signal: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(timedOut), Math.min(timeoutMs, timerMsMax));
  let timer = start();
  let hasRestarted = false;
  const restart = () => {
    clearTimeout(timer);
    timer = start();
    hasRestarted = true;
  };
  const abort = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', abort, { once: true });
  try {
    return await attempt(controller.signal, restart);
  } catch (error) {
    if (outer?.aborted) throw outer.reason;
    if (controller.signal.aborted) {
      throw new TimeoutError(
        hasRestarted ? `Nothing arrived for ${timeoutMs} ms.` : `No answer within ${timeoutMs} ms.`,
      );
    }
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

const timedOut = 'timed out';

/** Turns what `exchange` throws into a `ConnectionError`. */
export async function overNetwork<T>(exchange: () => Promise<T>): Promise<T> {
  try {
    return await exchange();
  } catch (error) {
    throw new ConnectionError('The server could not be reached, or the connection broke.', { cause: error });
  }
}

/** @throws `TypeError` for a number that is infinite or less than `minimum`. */
export function checkedNumber(name: string, value: number, minimum: number): number {
  if (!(Number.isFinite(value) && value >= minimum)) throw new TypeError(`${name} must be at least ${minimum}.`);
  return value;
}

/** @throws `TypeError` for a key that no header can carry. */
function idempotencyKeyOf({ idempotencyKey }: ApiRequest['options']): string {
  const key = idempotencyKey ?? crypto.randomUUID();
  // The server takes an empty key, and spaces alone, for none, and would then write twice.
  if (/^ *$/.test(key)) throw new TypeError('idempotencyKey is empty. Leave it out, or give 1 to 255 characters.');
  // Control characters and halves of surrogate pairs.
  if (/[\p{Cc}\p{Cs}]/u.test(key)) {
    throw new TypeError(
      'idempotencyKey has a control character, such as a line break, or half of a surrogate pair. Remove it.',
    );
  }
  return key;
}

/** Returns the UTF-8 bytes of the text, one character each: fetch takes no other characters, and the server reads UTF-8. */
function headerValueOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

function headersOf({ body }: ApiRequest, { apiKey }: Settings, idempotencyKey: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === null ? {} : { 'idempotency-key': headerValueOf(idempotencyKey) }),
  };
}

function bodyOf({ body }: ApiRequest): string | null {
  return body === undefined ? null : JSON.stringify(body);
}

function queryOf(query: ApiRequest['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** The key must not follow a redirect to another host. */
function assertNotRedirected(response: Response): void {
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) return;
  const location = response.headers.get('location');
  throw new CountersignError(`The server redirects${location === null ? '' : ` to ${location}`}. Correct baseUrl.`);
}

function infoOf({ method, path }: ApiRequest, attempt: number, { status, headers }: Response): AnswerInfo {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
  return {
    method,
    path,
    attempt,
    status,
    requestId: headers.get('x-request-id'),
    isReplayed: headers.get('idempotent-replayed') === 'true',
    remaining: { burst: number('x-ratelimit-remaining-burst'), daily: number('x-ratelimit-remaining-daily') },
  };
}

/** Whether it looks like an answer of the API, and not like one of another service or of a gateway. */
function isAnswer(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { object, data } = body as { object?: unknown; data?: unknown };
  return typeof object === 'string' && (object !== 'list' || Array.isArray(data));
}

/** Returns undefined for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
