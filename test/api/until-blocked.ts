import { eventually, type TestService } from '../support/service.ts';

/** Waits until a statement of the service waits for a lock that the test holds. */
export async function untilBlocked(app: TestService): Promise<void> {
  await eventually(
    () =>
      app.db.query({
        name: '',
        text: `select 1 from pg_stat_activity
               where datname = current_database() and application_name = 'countersign' and wait_event_type = 'Lock'`,
        values: [],
      }),
    (waiting) => waiting.length > 0,
  );
}
