import type { Visitor } from '../console/visitor.ts';
import { aPdf } from '../imports/a-pdf.ts';
import type { Answer } from '../support/service.ts';
import { type Ids, sendAt } from './tenant.ts';

/** The path parameters of each endpoint, named in `Ids`, and a valid body. */
export interface RequestLine {
  params: Record<string, keyof Ids | 'one'>;
  body?: (ids: Ids) => object;
  query?: string;
  file?: Uint8Array<ArrayBuffer>;
}

const about = (id: keyof Ids, body?: (ids: Ids) => object, query?: string): RequestLine => ({
  params: { id },
  ...(body && { body }),
  ...(query && { query }),
});
const recipient = (id: keyof Ids, name: keyof Ids, body?: (ids: Ids) => object): RequestLine => ({
  params: { id, recipient: name, page: 'one' },
  ...(body && { body }),
});
const page = (id: keyof Ids, query?: string): RequestLine => ({
  params: { id, page: 'one' },
  ...(query && { query }),
});
const person = () => ({ name: 'Grace Hopper', email: 'grace@example.com' });
const ccList = (name: string) => ({ name, is_default: false, people: [person()] });
const newVersion = (version: number) => () => ({ version, title: 'Changed', recipients: [] });
const file = new Uint8Array(aPdf());
const csv = new TextEncoder().encode('Title\nLease of Ada\n');
const bulk = (name: keyof Ids = 'bulkSend', body?: (ids: Ids) => object): RequestLine => ({
  params: { id: 'bulkTemplate', bulk: name },
  ...(body && { body }),
});

const link = (name: keyof Ids = 'publicLink', body?: (ids: Ids) => object): RequestLine => ({
  params: { id: 'linkTemplate', link: name },
  ...(body && { body }),
});

/** One line for each console endpoint with a path parameter. */
export const consoleRequests: Record<string, RequestLine> = {
  'GET /documents/:id': about('prepared'),
  'GET /documents/:id/timeline': about('prepared'),
  'GET /documents/:id/comments': about('prepared'),
  'GET /documents/:id/pages/:page': page('prepared', '?width=600'),
  'GET /documents/:id/pages/:page/text': page('prepared'),
  'GET /documents/:id/sealed': about('sealed'),
  'GET /documents/:id/sealed/pages/:page': page('sealed', '?width=600'),
  'GET /documents/:id/sealed/pages/:page/text': page('sealed'),
  'GET /documents/:id/pdf': about('sealed'),
  'GET /documents/:id/original': about('prepared'),
  'GET /documents/:id/certificate': about('sealed'),
  'GET /documents/:id/uploads/:field': { params: { id: 'uploaded', field: 'uploadField' } },
  'GET /documents/:id/fields': about('prepared'),
  'GET /documents/:id/form-fields': about('prepared'),
  'GET /documents/:id/recipients/:recipient/preview': recipient('prepared', 'preparedRecipient'),
  'GET /documents/:id/recipients/:recipient/preview/pages/:page': {
    ...recipient('prepared', 'preparedRecipient'),
    query: '?width=600',
  },
  'GET /documents/:id/recipients/:recipient/preview/pages/:page/text': recipient('prepared', 'preparedRecipient'),
  'GET /documents/:id/unlock': about('prepared'),
  'POST /documents/:id/send': about('toSend'),
  'POST /documents/:id/remind': about('sent'),
  'POST /documents/:id/void': about('toVoid', () => ({ reason: 'No longer needed' })),
  'POST /documents/:id/recipients/:recipient/reassign': recipient('sent', 'sentRecipient', person),
  'POST /documents/:id/recipients/:recipient/remind': recipient('toRemind', 'recipientToRemind'),
  'POST /documents/:id/recipients/:recipient/in-person': recipient('inPerson', 'inPersonRecipient', () => ({
    sign_out: false,
  })),
  'POST /documents/:id/recipients/:recipient/sign': recipient('inPerson', 'inPersonRecipient'),
  'POST /documents/:id/schedule': about('toSchedule', () => ({ version: 1, send_at: sendAt })),
  'DELETE /documents/:id/schedule': about('scheduled'),
  'POST /documents/:id/review': about('toReview'),
  'POST /documents/:id/return': about('inReview', () => ({ note: 'The price is missing' })),
  'POST /documents/:id/mirror': about('sent'),
  'POST /documents/:id/lift-restriction': about('restricted'),
  'POST /documents/:id/file': { params: { id: 'toAttach' }, query: '?name=Lease.pdf', file },
  'GET /documents/:id/parts': about('prepared'),
  'POST /documents/:id/parts': { params: { id: 'toAttach' }, query: '?name=Terms.pdf', file },
  'POST /documents/:id/parts/order': about('toAttach', () => ({ version: 3, parts: [2, 1] })),
  'POST /documents/:id/fields': about('prepared', () => ({ version: 2, fields: [] })),
  'POST /documents/:id': about('edited', newVersion(1)),
  'POST /documents/:id/template': about('prepared'),
  'POST /documents/:id/copy': about('prepared'),
  'POST /documents/:id/unlock': about('toUnlock', () => ({ pages: 1 })),
  'POST /templates/:id/use': about('template', newVersion(1)),
  'DELETE /templates/:id': about('templateToDelete'),
  'GET /templates/:id/bulk-sends/sample': about('bulkTemplate'),
  'GET /templates/:id/bulk-sends': about('bulkTemplate'),
  'POST /templates/:id/bulk-sends': { params: { id: 'template' }, query: '?name=Tenants.csv', file: csv },
  'GET /templates/:id/bulk-sends/:bulk': bulk(),
  'GET /templates/:id/bulk-sends/:bulk/rows': bulk(),
  'GET /templates/:id/bulk-sends/:bulk/unsent': bulk(),
  'POST /templates/:id/bulk-sends/:bulk/start': bulk('bulkSend', () => ({ skip_faulty: true })),
  'POST /templates/:id/bulk-sends/:bulk/cancel': bulk(),
  'DELETE /templates/:id/bulk-sends/:bulk': bulk('bulkSendToDelete'),
  'GET /templates/:id/links': about('linkTemplate'),
  'POST /templates/:id/links': about('linkTemplate', () => ({ documents_max: 5 })),
  'GET /templates/:id/links/:link': link(),
  'POST /templates/:id/links/:link': link('publicLink', () => ({ documents_max: 5 })),
  'POST /templates/:id/links/:link/off': link(),
  'POST /templates/:id/links/:link/on': link(),
  'DELETE /templates/:id/links/:link': link('publicLinkToDelete'),
  'GET /templates/:id/links/:link/documents': link(),
  'GET /documents/:id/unlocked': about('unlocked'),
  'GET /documents/:id/unlocked/pages/:page': page('unlocked'),
  'GET /documents/:id/unlocked/pages/:page/picture': page('unlocked', '?width=600'),
  'GET /documents/:id/unlocked/export': about('unlocked', undefined, '?format=md'),
  'POST /documents/:id/unlocked/rendered': about('unlocked'),
  'GET /documents/:id/unlocked/rendered/pdf': about('unlocked'),
  'GET /documents/:id/unlocked/rendered/pages/:page': page('unlocked', '?width=600'),
  'POST /documents/:id/unlocked/rendered/use': about('unlocked', () => ({ version: 0 })),
  'POST /documents/:id/unlocked/rendered/draft': about('unlocked', () => ({ version: 0 })),
  'POST /documents/:id/unlocked': about('unlocked', () => ({ pages: [{ page: 1, version: 0, base: '', blocks: [] }] })),
  'POST /documents/:id/unlocked/revert': about('unlocked', () => ({ version: 0 })),
  'GET /imports/:id': about('import'),
  'GET /imports/:id/items': about('import'),
  'POST /imports/:id/items/:item/file': { params: { id: 'import', item: 'item' }, file },
  'POST /imports/:id/cancel': about('import', ({ item }) => ({ items: [item] })),
  'GET /webhooks/:id/deliveries': about('webhook'),
  'POST /webhooks/:id/test': about('webhook', () => ({ event: 'document.sent' })),
  'POST /webhooks/:id/redeliver-failed': about('webhook', () => ({ since: '2026-03-01T00:00:00Z' })),
  'GET /webhooks/:id/attempts': about('webhook'),
  'GET /webhooks/:id/redelivery': about('webhook'),
  'POST /webhooks/:id/redelivery': about('webhook', () => ({ counted_at: '2026-03-01T00:00:00Z' })),
  'GET /deliveries/:id': about('delivery'),
  'GET /event-log/:id': about('event'),
  'POST /deliveries/:id/redeliver': about('delivery'),
  'POST /webhooks/:id/events': about('webhook', () => ({ events: ['document.sent'] })),
  'POST /webhooks/:id/limit': about('webhook', () => ({ per_second: 5 })),
  'POST /webhooks/:id/payload': about('webhook', () => ({ version: 2 })),
  'POST /webhooks/:id/pause': about('webhook'),
  'POST /webhooks/:id/resume': about('webhook'),
  'POST /webhooks/:id/roll': about('webhook'),
  'DELETE /webhooks/:id': about('webhook'),
  'POST /folders/:id/name': about('folder', () => ({ name: 'Renamed' })),
  'POST /folders/:id/open': about('folder', () => ({ is_open: true })),
  'GET /folders/:id/members': about('folder'),
  'POST /folders/:id/members': about('folder', ({ folderMember }) => ({ member_id: folderMember, role: 'editor' })),
  'DELETE /folders/:id/members/:member': { params: { id: 'folder', member: 'folderMember' } },
  'DELETE /folders/:id': about('folderToDelete'),
  'POST /cc-lists/:id': about('ccList', () => ({ ...ccList('Renamed'), version: 1 })),
  'DELETE /cc-lists/:id': about('ccListToDelete'),
  'POST /keys/:id/revoke': about('key'),
  'POST /members/:id/role': about('member', () => ({ role: 'admin' })),
  'POST /members/:id/invitation': about('member'),
  'DELETE /members/:id': about('member'),
  'POST /data-exports/:id/open': about('dataExport'),
  'GET /data-exports/:id/archive': about('dataExport'),
  'DELETE /data-exports/:id': about('dataExport'),
  'DELETE /sessions/:id': about('session'),
  'DELETE /passkeys/:id': about('passkey'),
};

/** Endpoints that take an id in the body. */
export const idsInBodies: Record<string, (ids: Ids) => object> = {
  'POST /account': ({ account }) => ({ account_id: account }),
  'POST /event-log/redelivery': ({ webhook }) => ({ endpoint_id: webhook }),
  'POST /documents/move': ({ prepared }) => ({ ids: [prepared], folder: null }),
  'POST /restricted-papers': ({ prepared }) => ({ document_id: prepared, kind: 'pay' }),
};

/** Returns the path with ids of `ids`, except those named in `others`, which come from that company. */
export function pathOf(path: string, { params, query = '' }: RequestLine, idsOf: (param: string) => Ids): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, param: string) => {
    const name = params[param];
    if (name === undefined) throw new Error(`${path}: nothing is said of :${param}`);
    return name === 'one' ? '1' : idsOf(param)[name];
  });
  return filled + query;
}

/** Sends the request of a line, with a body or a file if needed. */
export function sendLine(
  visitor: Visitor,
  method: string,
  target: string,
  { file, body }: RequestLine,
  ids: Ids,
): Promise<Answer> {
  return file === undefined ? visitor.call(method, target, body?.(ids)) : visitor.upload(target, file);
}
