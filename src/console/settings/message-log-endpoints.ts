import type { Query } from '../../http/page-request.ts';
import { exportMessageLog } from '../../message-log/export-message-log.ts';
import { listLoggedMessages } from '../../message-log/list-messages.ts';
import { type LoggedKind, loggedKinds, type MessageState, messageStates } from '../../message-log/message-kinds.ts';
import type { MessageFilter } from '../../message-log/read-message-log.ts';
import { storedContact } from '../../messages/stored-address.ts';
import { isUuid, madeAt } from '../../platform/ids.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { exportAnswer, readExportFormat } from '../core/export-answer.ts';
import { openList } from '../core/open-list.ts';
import { readOne, readTime } from '../core/read-filter.ts';

/** The messages that the company's documents have sent. */
export const messageLogEndpoints = [
  forMembers('GET /messages', 'admin', {}, listPage),
  forMembers('GET /messages/export', 'admin', { isEndless: true }, exportLog),
];

/**
 * Lists messages. Filters: `state`, `kind`, `address` (an e-mail address or a phone number), `document_id`, `from` and `to`. A
 * search stops after a limited number of messages. `has_more` is then true although the page has few items, and `searched_to`
 * is the time reached.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const filter = readFilter(call.query);
  const { accountId, limit, afterId, answer } = openList(deps, call, `messages ${JSON.stringify(filter)}`);
  const { rows, lookedTo } = await listLoggedMessages(deps.db, accountId, filter, {
    afterId,
    limit: limit + 1,
    language: call.language,
  });
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  return {
    ...answer(page, isFull ? (page.at(-1)?.id ?? null) : lookedTo),
    searched_to: isFull || lookedTo === null ? null : madeAt(lookedTo).toISOString(),
  };
}

/** Answers with all messages of the filters. */
async function exportLog({ db, world }: ConsoleDeps, call: MemberCall) {
  const format = readExportFormat(call.query);
  const lines = exportMessageLog(db, {
    accountId: call.caller.membership.account_id,
    filter: readFilter(call.query),
    format,
    language: call.language,
  });
  return exportAnswer(world, lines, { name: call.language === 'es' ? 'mensajes' : 'messages', format });
}

const addressLengthMax = 320;

function readFilter(query: Query): MessageFilter {
  const address = readOne(query, 'address', isText);
  return {
    state: readOne(query, 'state', (value) => messageStates.some((each) => each === value)) as MessageState | null,
    kind: readOne(query, 'kind', (value) => loggedKinds.some((each) => each === value)) as LoggedKind | null,
    address: address === null ? null : storedContact(address),
    documentId: readOne(query, 'document_id', isUuid),
    from: readTime(query, 'from'),
    to: readTime(query, 'to'),
  };
}

function isText(value: string): boolean {
  return value.length <= addressLengthMax && value.isWellFormed() && !value.includes('\u0000');
}
