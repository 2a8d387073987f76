import { createDocuments, type Documents } from './documents.ts';
import { errorOf } from './errors.ts';
import { createImports, type Imports } from './imports.ts';
import {
  type AnswerInfo,
  checkedNumber,
  createSend,
  overNetwork,
  parsed,
  type RequestOptions,
  repeatedly,
  type Send,
  type Settings,
} from './request.ts';
import type { Account } from './types.ts';

export interface CountersignOptions {
  /** Address of the API with its version: `https://sign.example.com/api/v1`. */
  baseUrl: string;
  /** `svc_live_…` or `svc_test_…`. */
  apiKey: string;
  /** Time for each attempt, in milliseconds. Default 30,000; `imports.start` has 100,000. */
  timeoutMs?: number;
  /** Further attempts after a failure that may pass. Default 3. */
  retriesMax?: number;
  /** Wait time before the first retry, on top of a `Retry-After`, in milliseconds. It doubles with each further one. Default 500. */
  retryBaseMs?: number;
  /**
   * Longest `Retry-After` that is waited for, and longest wait on top of it, in milliseconds. When the server asks for more, the
   * error is thrown. Default 60,000.
   */
  retryDelayMaxMs?: number;
  /**
   * Longest wait for an earlier request with the same idempotency key, in milliseconds. The client asks again after at most 5
   * seconds each time. That doesn't count as retries. Default 90,000. With 0, or without retries, the error is thrown at once.
   */
  inProgressWaitMaxMs?: number;
  /**
   * Called for every answer, also of attempts that are retried: request ids, remaining rate budget. An error that it throws ends the
   * call, without a retry, and is thrown unchanged. The server has then answered, so a write may have been done.
   */
  onAnswer?: (answer: AnswerInfo) => void;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** Client of one Countersign server, for one API key. It keeps no state and can be shared. */
export class Countersign {
  readonly documents: Documents;
  readonly imports: Imports;
  // Private, so that the key does not appear where the client is printed.
  readonly #send: Send;

  /** @throws `TypeError` for a wrong option. */
  constructor(options: CountersignOptions) {
    const settings = settingsOf(options);
    this.#send = createSend(settings);
    this.documents = createDocuments(this.#send, (url, request) => fetchBytes(settings, url, request));
    this.imports = createImports(this.#send);
  }

  /** The company of the key, its plan and the scopes of the key. */
  async account(options: RequestOptions = {}): Promise<Account> {
    return this.#send({ method: 'GET', path: '/account', options });
  }
}

function settingsOf(options: CountersignOptions): Settings {
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: checkedKey(options.apiKey),
    // Workers refuse to call fetch as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: checkedNumber('timeoutMs', options.timeoutMs ?? 30_000, 1),
    retriesMax: checkedNumber('retriesMax', options.retriesMax ?? 3, 0),
    retryBaseMs: checkedNumber('retryBaseMs', options.retryBaseMs ?? 500, 0),
    retryDelayMaxMs: checkedNumber('retryDelayMaxMs', options.retryDelayMaxMs ?? 60_000, 0),
    inProgressWaitMaxMs: checkedNumber('inProgressWaitMaxMs', options.inProgressWaitMaxMs ?? 90_000, 0),
    onAnswer: options.onAnswer ?? (() => {}),
  };
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  if (url === null || !/^https?:$/.test(url.protocol) || !path.endsWith('/api/v1')) {
    throw new TypeError('baseUrl must be the address of the API, such as https://sign.example.com/api/v1.');
  }
  return url.origin + path;
}

function checkedKey(apiKey: string): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be an API key, such as svc_live_…, without spaces.');
  }
  return apiKey;
}

/**
 * What a download address leads to. The address needs no key, so the key is not sent. A large file may take long, so the time-out
 * begins again with each part that arrives.
 */
async function fetchBytes(settings: Settings, url: string, options: RequestOptions): Promise<Uint8Array<ArrayBuffer>> {
  return repeatedly(settings, options, async (_attempt, signal, restart) => {
    const response = await overNetwork(() => settings.fetch(url, { signal }));
    const bytes = await overNetwork(() => readBody(response, restart));
    if (!response.ok) throw errorOf(response, parsed(new TextDecoder().decode(bytes)));
    return bytes;
  });
}

/** Calls `onPart` whenever a part of the body has arrived. */
async function readBody({ body }: Response, onPart: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    onPart();
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
