import { addressOf, type QueryValues } from './client.ts';
import { companyQuery } from './company.ts';

/** The address of a file in the console's API. The server refuses it once the session works in another company. */
export function fileAddress(path: string, query: QueryValues = {}): string {
  return addressOf(`/console/api${path}`, { query: { ...query, ...companyQuery() } });
}
