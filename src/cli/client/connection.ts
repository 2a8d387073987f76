import { ApiError, Countersign, CountersignError } from '../../../packages/client/src/index.ts';
import { clientEnvironment } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { findProfile, type Profile } from './profiles.ts';

export const defaultProfile = 'default';
/** Where `npm start` serves. */
export const defaultBaseUrl = 'http://127.0.0.1:3000/api/v1';

/** Options of every command that calls the API of a server. */
export interface ConnectionOptions {
  profile?: string;
}

/**
 * Finds the server and the key to use: those of `--profile`, else those in COUNTERSIGN_API_KEY and COUNTERSIGN_BASE_URL, else
 * those of the profile that COUNTERSIGN_PROFILE names, else of `default`. Throws a `Refusal` when there are none, or when
 * COUNTERSIGN_BASE_URL names another server than a profile that wasn't chosen with `--profile`.
 */
export async function findConnection({ profile }: ConnectionOptions): Promise<Profile> {
  const env = clientEnvironment();
  if (profile === undefined && env.COUNTERSIGN_API_KEY) {
    return { api_key: env.COUNTERSIGN_API_KEY, base_url: apiAddress(env.COUNTERSIGN_BASE_URL || defaultBaseUrl) };
  }
  const name = profile ?? (env.COUNTERSIGN_PROFILE || defaultProfile);
  const found = await findProfile(name);
  if (found !== null) {
    if (profile === undefined && env.COUNTERSIGN_BASE_URL) assertSameServer(name, found, env.COUNTERSIGN_BASE_URL);
    return found;
  }
  const login = name === defaultProfile ? 'countersign login' : `countersign login --profile ${name}`;
  throw new Refusal(`there is no profile "${name}": run ${login}, or set COUNTERSIGN_API_KEY`);
}

/** The key of a profile is never sent to another server. */
function assertSameServer(name: string, { base_url }: Profile, chosen: string): void {
  const address = apiAddress(chosen);
  if (address === base_url) return;
  throw new Refusal(
    `profile "${name}" is for ${base_url}, and COUNTERSIGN_BASE_URL is ${address}: ` +
      `unset COUNTERSIGN_BASE_URL, give --profile ${name}, or set COUNTERSIGN_API_KEY`,
  );
}

/** Completes the address of a server to that of its API. Throws a `Refusal` when it is no http or https address. */
export function apiAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Refusal(`"${address}" is not the address of a server, such as https://sign.example.com`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith('/api/v1') ? path : `${path}/api/v1`);
}

export function openClient({ base_url: baseUrl, api_key: apiKey }: Profile): Countersign {
  return new Countersign({ baseUrl, apiKey });
}

/**
 * Turns an error of the API or of the network into a `Refusal` of one line. It names the idempotency key of a write that may
 * have been done all the same. Returns other errors unchanged.
 */
export function refusalOf(error: unknown, { base_url }: Profile): unknown {
  if (error instanceof ApiError) {
    const details = [error.code, error.param, error.requestId].filter((detail) => detail !== null);
    return new Refusal(`${error.message} (${details.join(', ')})${repeatAdvice(error)}`);
  }
  if (error instanceof CountersignError) {
    return new Refusal(`${base_url}: ${error.message}${reasonOf(error.cause)}${repeatAdvice(error)}`);
  }
  // The client refuses a malformed key or address before it sends anything.
  if (error instanceof TypeError) return new Refusal(error.message);
  return error;
}

function repeatAdvice({ idempotencyKey, isOutcomeUnknown }: CountersignError): string {
  if (idempotencyKey === null || !isOutcomeUnknown) return '';
  return ` To repeat the command without writing twice, add --idempotency-key ${quoted(idempotencyKey)}`;
}

function quoted(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : `'${key.replaceAll("'", "'\\''")}'`;
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : null;
  return inner instanceof Error && 'code' in inner ? ` (${inner.code})` : '';
}
