import type { ConsoleAnswers } from '../../../src/console/core/console-endpoints.ts';
import { isNoAnswer, reportNoAnswer } from './reachability.ts';
import { otherCompany, otherPerson, shownHeaders } from './shown.ts';

/** An error answer of the server, by code (src/console/core/console-error.ts), or a failed connection. */
export class ApiFailure extends Error {
  /** An error code of the server, or `unreachable`. */
  readonly code: string;
  /** HTTP status. 0 if there was no answer. */
  readonly status: number;
  /** The invalid property of the body. */
  readonly param: string | null;
  /** The part of the property that is wrong. */
  readonly value: string | null;
  readonly retryAfterSeconds: number;

  constructor(
    code: string,
    status: number,
    message: string,
    param: string | null = null,
    retryAfterSeconds = 0,
    value: string | null = null,
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.param = param;
    this.retryAfterSeconds = retryAfterSeconds;
    this.value = value;
  }
}

const answerWithinMs = 30_000;
const uploadWithinMs = 3_600_000;

type Route = keyof ConsoleAnswers;

/** The paths of a method, such as `/documents/:id`. */
export type PathOf<Method extends string> = Route extends infer Each
  ? Each extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

/** The answer of a route, taken from the table of endpoints on the server. */
export type AnswerOf<Method extends string, Path extends string> = `${Method} ${Path}` extends Route
  ? ConsoleAnswers[`${Method} ${Path}`]
  : never;

type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Empty and undefined values are left out. */
export type QueryValues = Record<string, string | number | undefined>;

/** The values of the path's parameters, if it has some, and what a request adds. */
export type OptionsOf<Path extends string, More extends object> = [NameIn<Path>] extends [never]
  ? [options?: More]
  : [options: More & { params: Record<NameIn<Path>, string | number> }];

type Reading = { query?: QueryValues; signal?: AbortSignal };
type Given = Partial<{
  params: Record<string, string | number>;
  query: QueryValues;
  body: object;
  file: File;
  signal: AbortSignal;
}>;

/** The console API. Functions throw an `ApiFailure`. After a session ends, they ask to sign in again and then continue. */
export const api = {
  get: <Path extends PathOf<'GET'>>(path: Path, ...[options]: OptionsOf<Path, Reading>) =>
    request<AnswerOf<'GET', Path>>('GET', path, options),
  post: <Path extends PathOf<'POST'>>(path: Path, ...[options]: OptionsOf<Path, { body?: object }>) =>
    request<AnswerOf<'POST', Path>>('POST', path, { body: {}, ...options }),
  /** Sends a file as the body. It has no time limit: the server has one. */
  upload: <Path extends PathOf<'POST'>>(
    path: Path,
    ...[options]: OptionsOf<Path, { query?: QueryValues; file: File }>
  ) => request<AnswerOf<'POST', Path>>('POST', path, options),
  remove: <Path extends PathOf<'DELETE'>>(path: Path, ...[options]: OptionsOf<Path, object>) =>
    request<AnswerOf<'DELETE', Path>>('DELETE', path, options),
};

/** Fills in the parameters of a path, and adds the query. */
export function addressOf(path: string, { params = {}, query = {} }: Pick<Given, 'params' | 'query'>): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

type Question = () => Promise<boolean>;
type QuestionCode = 'sign_in_again' | 'not_signed_in';

/** What the user is asked after these refusals. */
const questions = new Map<QuestionCode, Question>();
const asked = new Map<QuestionCode, Promise<boolean>>();

/** `confirm` is called when the server asks to confirm the identity. If it returns true, the request is repeated. */
export function onConfirmationNeeded(confirm: Question): () => void {
  questions.set('sign_in_again', confirm);
  return () => void questions.delete('sign_in_again');
}

/** `signIn` is called when the session has ended. If it returns true, the request is repeated. */
export function onSignedOut(signIn: Question): () => void {
  questions.set('not_signed_in', signIn);
  return () => void questions.delete('not_signed_in');
}

/** Concurrent requests share one question. Without a page that asks, people go to the sign-in page, which leads back here. */
export async function ask(code: QuestionCode): Promise<boolean> {
  const question = isLeaving ? undefined : questions.get(code);
  if (question === undefined) {
    if (code === 'not_signed_in') signInAgain();
    return false;
  }
  const answer = asked.get(code) ?? question().finally(() => asked.delete(code));
  asked.set(code, answer);
  return answer;
}

async function request<Answer>(method: string, path: string, given: Given = {}): Promise<Answer> {
  const address = addressOf(path, given);
  const body = given.file ?? (given.body && JSON.stringify(given.body));
  try {
    return await send<Answer>(method, address, body, given.signal);
  } catch (error) {
    const code = error instanceof ApiFailure && !path.startsWith('/sign-in') ? error.code : '';
    if (code !== 'sign_in_again' && code !== 'not_signed_in') throw error;
    if (!(await ask(code))) throw error;
    return send<Answer>(method, address, body, given.signal);
  }
}

async function send<Answer>(method: string, path: string, body?: string | File, signal?: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(body instanceof File ? uploadWithinMs : answerWithinMs);
  let response: Response | null = null;
  let answer: unknown;
  try {
    response = await fetch(`/console/api${path}`, {
      method,
      body: body ?? null,
      headers: {
        ...shownHeaders(),
        // `false`: nobody has just clicked or typed, so that the request doesn't keep the session alive.
        'countersign-active': `${navigator.userActivation?.isActive}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      cache: 'no-store',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (response === null || isNoAnswer(response.status)) reportNoAnswer();
    throw new ApiFailure('unreachable', 0, String(error));
  }
  if (response.ok) return answer as Answer;
  throw failureOf(response, answer);
}

interface ErrorAnswer {
  error?: { code?: string; message?: string; param?: string; value?: string };
}

/** Reads an error answer. Notes when it says that the session has another person or company than the page shows. */
export function failureOf(response: Pick<Response, 'status' | 'headers'>, answer: unknown): ApiFailure {
  const { code = 'failed', message = '', param, value } = (answer as ErrorAnswer).error ?? {};
  if (code === 'other_person') otherPerson.set(true);
  if (code === 'other_company') otherCompany.set(true);
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiFailure(code, response.status, message, param, retryAfter, value);
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
    // The browser may ask whether to leave what was typed. Someone who stays is led to the sign-in page by the next request.
    setTimeout(() => {
      isLeaving = false;
    }, 5000);
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
