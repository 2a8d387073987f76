import type { Command } from 'commander';
import { type AttemptSeries, readAttemptHistory } from '../../webhooks/attempt-counts.ts';
import { findEndpoint } from '../../webhooks/manage-endpoints.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';

/** The verb that shows how many attempts succeeded. */
export function defineAttempts(webhook: Command): void {
  webhook
    .command('attempts <id>')
    .description('count the delivered and failed attempts of an endpoint in the last 24 hours, with their duration')
    .option('--days', 'in the last 30 days instead, in UTC')
    .action(async (id: string, { days = false }: { days?: boolean }, command: Command) => {
      const history = await withDatabase(async ({ world, db }) => {
        const endpoint = await byId('webhook endpoint', id, () => findEndpoint(db, id));
        return readAttemptHistory(db, endpoint, world.clock.now());
      });
      answer(command, days ? history.month : history.day, showAttempts);
    });
}

function showAttempts({ periods, ...total }: AttemptSeries): string {
  const rows = [...periods, { at: 'total', ...total }];
  return table(
    rows.map(({ at, delivered, failed, median_ms, p95_ms }) => ({ at, delivered, failed, median_ms, p95_ms })),
    '',
  );
}
