import { addressOf, type QueryValues } from './client.ts';
import { shownQuery } from './shown.ts';

/** The address of a file in the console's API. The server refuses it once the session has another person or company. */
export function fileAddress(path: string, query: QueryValues = {}): string {
  return addressOf(`/console/api${path}`, { query: { ...query, ...shownQuery() } });
}
