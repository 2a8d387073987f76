import { type DocumentType, documentTypes } from '../../document-types.ts';
import { documentStatuses } from '../../documents/document.ts';
import { type DocumentFilter, splitWords } from '../../documents/document-filter.ts';
import { isSender } from '../../documents/list-senders.ts';
import { type Query, readStatusFilter } from '../../http/page-request.ts';
import { isUuid } from '../../platform/ids.ts';
import { readerOf } from '../core/authorise.ts';
import type { MemberCall } from '../core/console-endpoint.ts';
import { readOne, readTime } from '../core/read-filter.ts';
import { readSearchText } from '../core/read-words.ts';

/**
 * Reads the filters of the document list. `q` and `recipient`: search words; `status`: comma-separated; `type`; `sender`: an
 * actor of `GET /documents/senders`; `scheduled`: `yes`; `folder`: an id or `none`; `created_from` and `created_before`:
 * times. Finds what the caller may see only. Throws `invalid_input`.
 */
export function readDocumentFilter(call: Pick<MemberCall, 'caller' | 'query'>): DocumentFilter {
  const { query } = call;
  return {
    words: splitWords(readSearchText(query.q)),
    statuses: readStatusFilter(query.status, documentStatuses),
    type: readOne(query, 'type', (value) => documentTypes.some((type) => type === value)) as DocumentType | null,
    sender: readOne(query, 'sender', isSender),
    recipient: splitWords(readSearchText(query.recipient, 'recipient')),
    isScheduled: readOne(query, 'scheduled', (value) => value === 'yes') !== null,
    folder: readFolder(query),
    readerId: readerOf(call),
    createdFrom: readTime(query, 'created_from'),
    createdBefore: readTime(query, 'created_before'),
  };
}

/** Reads the filter by folder: an id, `none`, or null for all. A folder that the caller does not see has no documents. */
export function readFolder(query: Query): string | null {
  return readOne(query, 'folder', (value) => value === 'none' || isUuid(value))?.toLowerCase() ?? null;
}
