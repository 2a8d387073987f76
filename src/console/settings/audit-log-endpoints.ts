import { type AccountAction, isAccountAction } from '../../accounts/account-audit.ts';
import { auditJson } from '../../audit-log/audit-json.ts';
import { exportAuditLog } from '../../audit-log/export-audit-log.ts';
import { type AuditFilter, readAuditLog } from '../../audit-log/read-audit-log.ts';
import type { Query } from '../../http/page-request.ts';
import { madeAt } from '../../platform/ids.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { exportAnswer, readExportFormat } from '../core/export-answer.ts';
import { openList } from '../core/open-list.ts';
import { readOne, readSearch, readTime } from '../core/read-filter.ts';

/** What people and the operator did to the company. */
export const auditLogEndpoints = [
  forMembers('GET /audit-log', 'admin', {}, listPage),
  forMembers('GET /audit-log/export', 'admin', { isEndless: true }, exportLog),
];

/**
 * Lists entries. Filters: `action`, `person` (an e-mail address, `operator` or `service`), `search`, `from` and `to`. A search stops after a
 * limited number of entries. `has_more` is then true although the page has few items, and `searched_to` is the time reached.
 */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const filter = readFilter(call.query);
  const { accountId, limit, afterId, answer } = openList(deps, call, `audit log ${JSON.stringify(filter)}`);
  const { rows, lookedTo } = await readAuditLog(deps.db, accountId, filter, { afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  const data = page.map((row) => {
    const { detail: _inExports, ...entry } = auditJson(row, call.language);
    return entry;
  });
  return {
    ...answer(data, isFull ? (page.at(-1)?.id ?? null) : lookedTo),
    searched_to: isFull || lookedTo === null ? null : madeAt(lookedTo).toISOString(),
  };
}

/** Answers with all entries of the filters. */
async function exportLog({ db, world }: ConsoleDeps, call: MemberCall) {
  const format = readExportFormat(call.query);
  const lines = exportAuditLog(db, {
    accountId: call.caller.membership.account_id,
    filter: readFilter(call.query),
    format,
    language: call.language,
  });
  return exportAnswer(world, lines, {
    name: call.language === 'es' ? 'registro de auditoría' : 'audit log',
    format,
  });
}

const personLengthMax = 320;

function readFilter(query: Query): AuditFilter {
  return {
    action: readOne(query, 'action', isAccountAction) as AccountAction | null,
    person: readOne(
      query,
      'person',
      (value) => value.length <= personLengthMax && value.isWellFormed() && !value.includes('\u0000'),
    ),
    text: readSearch(query),
    from: readTime(query, 'from'),
    to: readTime(query, 'to'),
  };
}
