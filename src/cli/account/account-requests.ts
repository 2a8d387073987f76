import type { Command } from 'commander';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type LoggedRequest, type RequestFilter, readRequestLog } from '../../usage/read-request-log.ts';
import { requestJson } from '../../usage/request-json.ts';
import { oneOf, positiveInteger } from '../core/arguments.ts';
import { noSuch } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

interface Options {
  method?: string;
  status?: '2xx' | '4xx' | '5xx';
  key?: string;
  search?: string;
  limit: number;
}

const limitDefault = 100;
const statuses = ['2xx', '4xx', '5xx'] as const;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export function defineRequests(account: Command): void {
  account
    .command('requests <id>')
    .description('recent API requests, newest first: without bodies and query strings')
    .option(
      '--method <method>',
      `only requests with one of these methods: ${methods.join(', ')}`,
      oneOf('--method', methods),
    )
    .option(
      '--status <class>',
      `only requests with one of these status classes: ${statuses.join(', ')}`,
      oneOf('--status', statuses),
    )
    .option('--key <id>', 'only requests of one API key')
    .option('--search <text>', 'only requests with this text in the path, error code or request id')
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), limitDefault)
    .action(async (id: string, options: Options, command: Command) => {
      const filter = readFilter(options);
      const requests = await withDatabase(async ({ config, world, db }) => {
        await findCompany(db, id);
        const since = new Date(world.clock.now().getTime() - config.retention.requestLogDays * 86_400_000);
        return newestRequests(db, id, filter, since, options.limit);
      });
      answer(command, requests.map(requestJson), (rows) => table(rows.map(requestRow), 'no requests'));
    });
}

function readFilter({ method, status, key, search }: Options): RequestFilter {
  if (key !== undefined && !isUuid(key)) throw noSuch('key', key);
  return {
    method: method ?? null,
    statusClass: status === undefined ? null : Number(status[0]),
    keyId: key ?? null,
    text: search || null,
  };
}

/** Searches in steps, so that no single query takes long. */
async function newestRequests(
  db: Queryable,
  accountId: string,
  filter: RequestFilter,
  since: Date,
  limit: number,
): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = [];
  let afterId: string | null = null;
  do {
    const { rows, lookedTo } = await readRequestLog(db, accountId, filter, {
      since,
      afterId,
      limit: limit - found.length,
    });
    found.push(...rows);
    afterId = lookedTo;
  } while (afterId !== null && found.length < limit);
  return found;
}

function requestRow({ at, request_id, method, status, code, duration_ms, key, path }: ReturnType<typeof requestJson>) {
  return { at, request_id, method, status, code, ms: duration_ms, key: key.hint, path };
}
