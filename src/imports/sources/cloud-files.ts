import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import {
  type PublicFetch,
  PublicFetchError,
  type PublicResponse,
  readAtMost,
} from '../../public-fetch/public-fetch.ts';
import { type FailureReason, fileBytesMax } from '../import.ts';
import { looksLikeHtml } from '../kind-of-bytes.ts';
import { cleanName } from '../title-of.ts';
import { nameInDisposition } from './content-disposition.ts';
import { declaredLength } from './declared-length.ts';
import { type Attempted, patientGet, retryAfterMs } from './patient-get.ts';
import type { OpenedContent, SourceFile } from './source-file.ts';
import { type LinkRules, nameInLink } from './store-link.ts';

export interface StoreDeps {
  clock: Clock;
  publicFetch: PublicFetch;
  links: LinkRules;
}

const openMs = 40_000;
const bodyMs = 15 * 60_000;
const hopsMax = 6;
const errorBytesMax = 4096;
const errorMs = 5000;

/**
 * Returns the file behind a link that `LinkRules` has accepted. `name` is the name in the request. A name without visible
 * characters counts as none.
 */
export function storeFile(deps: StoreDeps, wanted: { url: string; name: string | null }): SourceFile {
  const { url } = wanted;
  const name = cleanName(wanted.name);
  return {
    name: name ?? nameInLink(url),
    declaredBytes: null,
    driveFileId: null,
    revision: null,
    linkHash: createHash('sha256').update(url).digest(),
    content: {
      kind: 'fetch',
      bytesMax: fileBytesMax,
      tooLarge: 'too_large',
      open: (signal) => openLink(deps, url, name === null, signal),
    },
  };
}

type Hop = OpenedContent | { kind: 'redirect'; to: string };

/** Opens a link and follows redirects within the store's hosts. Each address is checked again. */
async function openLink(
  deps: StoreDeps,
  link: string,
  wantsName: boolean,
  signal: AbortSignal,
): Promise<OpenedContent> {
  let url = link;
  for (let hop = 0; hop < hopsMax; hop += 1) {
    const answer = await getHop(deps, url, wantsName, signal);
    if (answer.kind !== 'redirect') return answer;
    const next = URL.parse(answer.to, url);
    if (next === null || !deps.links.isStoreHost(next)) return failed('download_failed');
    url = next.href;
  }
  return failed('download_failed');
}

async function getHop(
  { clock, publicFetch }: StoreDeps,
  url: string,
  wantsName: boolean,
  signal: AbortSignal,
): Promise<Hop> {
  // The store shows pages to browsers and sends files to all other clients.
  const request = { url, headers: { 'user-agent': 'Countersign', accept: '*/*', 'accept-encoding': 'identity' } };
  try {
    const answer = await patientGet(publicFetch, request, { headersMs: openMs, bodyMs, signal }, (response) =>
      judge(response, wantsName, clock.now()),
    );
    return answer ?? failed('source_unavailable');
  } catch (error) {
    if (signal.aborted || !(error instanceof PublicFetchError)) throw error;
    return failed('download_failed');
  }
}

const refusals: Record<number, FailureReason> = {
  401: 'permission_denied',
  403: 'permission_denied',
  404: 'link_expired',
  410: 'link_expired',
};

async function judge(response: PublicResponse, wantsName: boolean, now: Date): Promise<Attempted<Hop>> {
  const { status, headers, body } = response;
  // A partial answer (206) to a request for the whole file is a failure.
  if (status >= 200 && status < 300 && status !== 206) {
    const name = wantsName ? nameInDisposition(headers['content-disposition']) : null;
    const htmlReason = mayBeErrorPage(headers) ? 'link_expired' : 'unsupported_type';
    return {
      kind: 'done',
      answer: { kind: 'opened', name, declaredBytes: declaredLength(response), htmlReason, body },
    };
  }
  const { bytes } = await readAtMost(body, errorBytesMax, errorMs);
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return { kind: 'done', answer: { kind: 'redirect', to: headers.location } };
  }
  // A link with too many visitors answers 429 with a page. The store's rate limit answers without one.
  if (status === 429 && looksLikeHtml(bytes)) return { kind: 'done', answer: failed('link_expired') };
  if (status === 429 || status === 408 || status >= 500) {
    return { kind: 'later', retryAfterMs: retryAfterMs(response, now) };
  }
  return { kind: 'done', answer: failed(refusals[status] ?? 'download_failed') };
}

/** The store sends a file with a `Content-Disposition`, and its own pages as HTML without one. */
function mayBeErrorPage(headers: PublicResponse['headers']): boolean {
  const type = headers['content-type'] ?? '';
  return (
    headers['content-disposition'] === undefined && /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type)
  );
}

function failed(reason: FailureReason): OpenedContent {
  return { kind: 'failed', reason };
}
