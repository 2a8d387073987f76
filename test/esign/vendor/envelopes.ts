import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aPdf } from '../../imports/a-pdf.ts';
import { createBudget, type VendorBudget } from './budget.ts';
import { type AnEnvelope, inOrderOfCompletion, listed, vendorTime } from './envelope.ts';

/** Answers in place of an envelope's PDF. `attempt` starts at 1. Returns false to send the PDF. */
export type Hand = (response: ServerResponse, attempt: number) => boolean | Promise<boolean>;

export interface VendorEnvelopes {
  /** The `base_uri` in userinfo. */
  url: string;
  budget: VendorBudget;
  /** The vendor's envelopes. Changes by a test show on the next page of the list. */
  envelopes: Map<string, AnEnvelope>;
  hands: Map<string, Hand>;
  /** Replaces an envelope in the list. */
  strange: Map<string, object>;
  /** How often the documents of each envelope were sent completely. */
  downloads: Map<string, number>;
  /** Maximum number per page, whatever is requested. */
  listedMax: number;
  /** The order of the list, whatever is requested. */
  listsNewestFirst: boolean;
  /** The requested pages, each as `from_date@start_position`. */
  pages: string[];
  /** The number of requests in progress, now and at most. */
  underWay: { now: number; most: number };
  /** Called before each answer. It may wait, change the envelopes, or answer and return true. */
  onRequest: (what: { kind: 'list' | 'document'; id: string }, response: ServerResponse) => boolean | Promise<boolean>;
  /** Resets everything for the next test. */
  reset(): void;
  stop(): Promise<void>;
}

export interface VendorEnvelopesOptions {
  isValid: (token: string) => boolean | Promise<boolean>;
  accountId?: string;
  /** Approximate size of each PDF. */
  pdfBytes?: number;
}

/** Returns an envelope with its recipients. */
const listedMaxDefault = 100;

/** The part of DocuSign's API that the vendor import uses. */
export async function startVendorEnvelopes({
  isValid,
  accountId = 'vendor-account-1',
  pdfBytes = 0,
}: VendorEnvelopesOptions): Promise<VendorEnvelopes> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const attempts = new Map<string, number>();
  const vendor: VendorEnvelopes = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    budget: createBudget(),
    envelopes: new Map(),
    hands: new Map(),
    strange: new Map(),
    downloads: new Map(),
    listedMax: listedMaxDefault,
    listsNewestFirst: false,
    pages: [],
    underWay: { now: 0, most: 0 },
    onRequest: () => false,
    reset() {
      for (const kept of [vendor.envelopes, vendor.hands, vendor.strange, vendor.downloads, attempts]) kept.clear();
      vendor.listedMax = listedMaxDefault;
      vendor.listsNewestFirst = false;
      vendor.pages.length = 0;
      vendor.underWay.most = 0;
      vendor.onRequest = () => false;
      vendor.budget = createBudget();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const root = `/restapi/v2.1/accounts/${accountId}/envelopes`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', vendor.url);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!(await isValid(token))) return refuse(response, 401, 'USER_AUTHENTICATION_FAILED');
    if (!url.pathname.startsWith(root)) return refuse(response, 404, 'INVALID_REQUEST');
    if (!vendor.budget.spend(response)) return;
    const [, id = '', rest] = /^\/([^/]+)(\/.*)$/.exec(url.pathname.slice(root.length)) ?? [];
    const kind = id === '' ? 'list' : 'document';
    if (await vendor.onRequest({ kind, id }, response)) return;
    const isCombined = rest === '/documents/combined' && url.searchParams.get('certificate') === 'true';
    if (kind === 'list') list(url.searchParams, response);
    else if (isCombined) await handOut(id, response);
    else refuse(response, 404, 'INVALID_REQUEST');
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const from = Date.parse(query.get('from_date') ?? '');
    const isOfCompleted = query.get('from_to_status') === 'completed' && query.get('status') === 'completed';
    if (Number.isNaN(from) || !isOfCompleted) return void refuse(response, 400, 'INVALID_REQUEST_PARAMETER');
    const start = Number(query.get('start_position') ?? 0);
    vendor.pages.push(`${query.get('from_date')}@${start}`);
    const found = inOrderOfCompletion(vendor.envelopes.values()).filter(({ completedAt }) => completedAt >= from);
    const isAscending = query.get('order_by') === 'completed' && query.get('order') === 'asc';
    const ordered = isAscending && !vendor.listsNewestFirst ? found : found.reverse();
    const page = ordered.slice(
      start,
      start + Math.min(Number(query.get('count') ?? listedMaxDefault), vendor.listedMax),
    );
    const withRecipients = (query.get('include') ?? '').split(',').includes('recipients');
    json(response, 200, {
      resultSetSize: String(page.length),
      totalSetSize: String(found.length),
      startPosition: String(start),
      endPosition: String(start + page.length - 1),
      ...(page.length > 0 && {
        envelopes: page.map((envelope) => vendor.strange.get(envelope.id) ?? listed(envelope, withRecipients)),
      }),
      folders: null,
      lastQueriedDateTime: vendorTime(Date.now()),
    });
  }

  async function handOut(id: string, response: ServerResponse): Promise<void> {
    const envelope = vendor.envelopes.get(id);
    if (envelope === undefined) return refuse(response, 404, 'ENVELOPE_DOES_NOT_EXIST');
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    if (await vendor.hands.get(id)?.(response, attempt)) return;
    const bytes = aPdf({ words: `envelope ${id}`, bytes: pdfBytes });
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': bytes.length });
    response.end(bytes, () => vendor.downloads.set(id, (vendor.downloads.get(id) ?? 0) + 1));
  }

  server.on('request', (request, response) => {
    const { underWay } = vendor;
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    response.once('close', () => {
      underWay.now -= 1;
    });
    answer(request, response).catch(() => response.destroy());
  });
  return vendor;
}

/** Refuses like the vendor. */
export function refuse(response: ServerResponse, status: number, errorCode: string): void {
  json(response, status, { errorCode, message: 'as the double says' });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
