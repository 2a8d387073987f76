import type { Readable } from 'node:stream';
import {
  type PublicFetch,
  PublicFetchError,
  type PublicResponse,
  readAtMost,
} from '../../public-fetch/public-fetch.ts';
import { readVendorLimits, untoldLimits, type VendorLimits } from './limits.ts';
import { VendorTokenRefused } from './token-refused.ts';

export interface EsignAccess {
  token: string;
  /** For example `https://eu.docusign.net`, without a trailing slash. */
  baseUri: string;
  vendorAccountId: string;
}

export interface EnvelopeQuery {
  /** Returns envelopes completed at this time or later. */
  from: Date;
  /** Number of envelopes to skip, in order of completion. */
  position: number;
  count: number;
}

export interface EnvelopePage {
  /** Envelopes in DocuSign's format, not validated. */
  envelopes: unknown[];
  /** Number of all matching envelopes, if the vendor states it. */
  total: number | null;
  /** Whether another page follows. */
  isFollowed: boolean;
}

export interface OpenedDocument {
  declaredBytes: number | null;
  /** Read it to the end or destroy it. Fails with a `PublicFetchError`. */
  body: Readable;
}

export type VendorAnswer<Value> = VendorReply<Value> & { limits: VendorLimits };

type VendorReply<Value> =
  | { kind: 'done'; value: Value }
  /** Over the vendor's limits. Retry when they allow it. */
  | { kind: 'limited' }
  /** The vendor could not be reached or could not answer. */
  | { kind: 'trouble' }
  | { kind: 'refused'; why: VendorRefusal };

/** Reason of a refusal. `too_large`: the page exceeds the maximum size. */
export type VendorRefusal = 'not_found' | 'permission_denied' | 'too_large' | 'other';

export interface EsignVendor {
  /** Lists completed envelopes with their recipients. Throws the same errors as `openDocument`. */
  listCompleted(access: EsignAccess, query: EnvelopeQuery, signal: AbortSignal): Promise<VendorAnswer<EnvelopePage>>;
  /**
   * Opens all documents of an envelope as one PDF, with the vendor's certificate. Throws `VendorTokenRefused` on a 401
   * and a `PublicFetchError` of kind `aborted` when `signal` aborts.
   */
  openDocument(access: EsignAccess, envelopeId: string, signal: AbortSignal): Promise<VendorAnswer<OpenedDocument>>;
}

const listMs = 60_000;
const pageBytesMax = 32 * 2 ** 20;
const documentMs = 15 * 60_000;
const headersMs = 60_000;
const errorBytesMax = 4096;
const errorMs = 5000;

/**
 * Client of the vendor's REST API, version 2.1. It follows no redirects, because its addresses come from the vendor's
 * userinfo.
 */
export function createEsignVendor(publicFetch: PublicFetch): EsignVendor {
  return {
    async listCompleted(access, { from, position, count }, signal) {
      const query = new URLSearchParams({
        from_date: from.toISOString(),
        from_to_status: 'completed',
        status: 'completed',
        include: 'recipients',
        order_by: 'completed',
        order: 'asc',
        start_position: String(position),
        count: String(count),
      });
      return ask(access, `/envelopes?${query}`, 'application/json', listMs, signal, async ({ body }) => {
        const { bytes, isComplete } = await readAtMost(body, pageBytesMax);
        if (!isComplete) return { kind: 'refused', why: 'too_large' };
        const page = readPage(bytes);
        return page === null ? { kind: 'trouble' } : { kind: 'done', value: page };
      });
    },

    async openDocument(access, envelopeId, signal) {
      const path = `/envelopes/${encodeURIComponent(envelopeId)}/documents/combined?certificate=true`;
      return ask(access, path, 'application/pdf', documentMs, signal, async ({ headers, body }) => {
        const length = headers['content-length'];
        const declaredBytes = length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null;
        return { kind: 'done', value: { declaredBytes, body } };
      });
    },
  };

  async function ask<Value>(
    { token, baseUri, vendorAccountId }: EsignAccess,
    path: string,
    accept: string,
    timeoutMs: number,
    signal: AbortSignal,
    read: (response: PublicResponse) => Promise<VendorReply<Value>>,
  ): Promise<VendorAnswer<Value>> {
    const url = `${baseUri}/restapi/v2.1/accounts/${encodeURIComponent(vendorAccountId)}${path}`;
    const headers = {
      authorization: `Bearer ${token}`,
      accept,
      'accept-encoding': 'identity',
      'user-agent': 'Countersign',
    };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), headersMs);
    try {
      const stop = AbortSignal.any([signal, late.signal]);
      const response = await publicFetch.fetch({ method: 'GET', url, headers }, { timeoutMs, signal: stop });
      clearTimeout(timer);
      if (response.status === 200) return { ...(await read(response)), limits: readVendorLimits(response) };
      return await classifyAnswer(response);
    } catch (error) {
      if (!(error instanceof PublicFetchError) || signal.aborted) throw error;
      const isForbiddenUrl = error.kind === 'refused_url' || error.kind === 'not_public';
      const reply = isForbiddenUrl ? ({ kind: 'refused', why: 'other' } as const) : ({ kind: 'trouble' } as const);
      return { ...reply, limits: untoldLimits };
    } finally {
      clearTimeout(timer);
    }
  }
}

function readPage(bytes: Buffer): EnvelopePage | null {
  try {
    const page = JSON.parse(bytes.toString('utf8'));
    // The vendor omits an empty list.
    const { totalSetSize, nextUri } = page;
    const envelopes = page.envelopes ?? [];
    const total = /^\d+$/.test(String(totalSetSize)) ? Number(totalSetSize) : null;
    const isFollowed = typeof nextUri === 'string' && nextUri !== '';
    return Array.isArray(envelopes) ? { envelopes, total, isFollowed } : null;
  } catch {
    return null;
  }
}

const refusals: Record<number, VendorRefusal> = {
  403: 'permission_denied',
  404: 'not_found',
  410: 'not_found',
};

/* biome-ignore format: a table reads as a table */
const refusalCodes: Record<string, VendorRefusal> = {
  ENVELOPE_DOES_NOT_EXIST:               'not_found',
  DOCUMENT_DOES_NOT_EXIST:               'not_found',
  ENVELOPE_HAS_BEEN_PURGED:              'not_found',
  DOCUMENTS_PURGED:                      'not_found',
  USER_LACKS_PERMISSIONS:                'permission_denied',
  ACCOUNT_LACKS_PERMISSIONS:             'permission_denied',
  USER_NOT_ENVELOPE_SENDER_OR_RECIPIENT: 'permission_denied',
};

const limitCodes = /^(?:HOURLY|BURST)_APIINVOCATION_LIMIT_EXCEEDED$/;

/** Classifies an error answer. Limits come with status 429 or 400, and the error code tells which. */
async function classifyAnswer(response: PublicResponse): Promise<VendorAnswer<never>> {
  const { status, body } = response;
  const { bytes } = await readAtMost(body, errorBytesMax, errorMs);
  if (status === 401) throw new VendorTokenRefused();
  const code = errorCode(bytes);
  const limits = readVendorLimits(response);
  if (status === 429 || limitCodes.test(code)) return { kind: 'limited', limits: readVendorLimits(response, code) };
  if (status === 408 || status >= 500) return { kind: 'trouble', limits };
  return { kind: 'refused', why: refusals[status] ?? refusalCodes[code] ?? 'other', limits };
}

function errorCode(bytes: Buffer): string {
  try {
    return String(JSON.parse(bytes.toString('utf8')).errorCode);
  } catch {
    return '';
  }
}
