import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Location } from './files-s3-location.ts';
import { readResponse } from './read-response.ts';

/** Waits before the second and the third attempt; what fails then is left to the job that asked. */
const retryDelaysMs = [200, 1000];
const errorBytesMax = 4096;

/** In memory, or a file that is read while it is sent. Either can be sent again. */
export type S3Body = Uint8Array<ArrayBuffer> | Blob;

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: S3Body;
}

export interface S3Requests {
  /** Resolves to a 2xx or a 404. `extraMs` is granted on top of the time limit, for a large body. */
  ask(url: string, request: S3Request, extraMs?: number): Promise<Response>;
  /** Reads what an answer has left, so that its connection can be used again. Throws when a 404 is about the bucket. */
  finish(answer: Response): Promise<void>;
  /** What to throw for an answer nobody can use. */
  refusal(answer: Response, what?: string): Promise<Error>;
  /** Throws when the store has been silent for the time limit. */
  inTime<T>(promise: Promise<T>): Promise<T>;
}

/** Signed requests with a time limit each. Connection failures, silence and the store's own troubles are tried again. */
export function createS3Requests(location: S3Location, timeoutMs: number): S3Requests {
  const aws = new AwsClient({ ...location.credentials, service: 's3', region: location.region, retries: 0 });
  const inTime = <T>(promise: Promise<T>) => rejectAfter(timeoutMs, promise);
  const bodyOf = (answer: Response) => inTime(readResponse(answer, errorBytesMax));

  async function ask(url: string, request: S3Request, extraMs = 0): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptOnce(url, request, timeoutMs + extraMs);
      if (outcome.kind === 'answer') return outcome.answer;
      const delayMs = retryDelaysMs[attempt];
      if (!outcome.isPassing || delayMs === undefined) throw outcome.error;
      await sleep(delayMs);
    }
  }

  type Outcome = { kind: 'answer'; answer: Response } | { kind: 'failure'; error: unknown; isPassing: boolean };

  /** The limit is on the answer's headers: a large file's body may take its time, but not fall silent. */
  async function attemptOnce(url: string, request: S3Request, limitMs: number): Promise<Outcome> {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(silence(limitMs)), limitMs);
    try {
      // Redirects mean a wrong region or endpoint, and the signature would not hold there.
      const answer = await fetch(await aws.sign(url, request), { signal: giveUp.signal, redirect: 'manual' });
      if (answer.ok || answer.status === 404) return { kind: 'answer', answer };
      const isPassing = answer.status >= 500 || answer.status === 429;
      return { kind: 'failure', error: await refusal(answer), isPassing };
    } catch (error) {
      return { kind: 'failure', error, isPassing: true };
    } finally {
      clearTimeout(timer);
    }
  }

  async function finish(answer: Response): Promise<void> {
    const body = await bodyOf(answer);
    if (errorCode(body) === 'NoSuchBucket') throw new Error('the store answered 404 NoSuchBucket');
  }

  async function refusal(answer: Response, what?: string): Promise<Error> {
    const body = await bodyOf(answer).catch(() => '');
    return new Error(['the store answered', answer.status, errorCode(body), what].filter(Boolean).join(' '));
  }

  return { ask, finish, refusal, inTime };
}

function errorCode(body: string): string | undefined {
  return /<Code>([A-Za-z0-9]{1,80})<\/Code>/.exec(body)?.[1];
}

async function rejectAfter<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silence(limitMs)), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

function silence(limitMs: number): Error {
  return new Error(`the store was silent for ${limitMs} ms`);
}
