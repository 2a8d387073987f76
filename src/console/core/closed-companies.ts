import type { Queryable } from '../../postgres/database.ts';
import { findSso } from '../../sso/connection.ts';
import type { Caller } from './console-endpoint.ts';

export interface ClosedCompany {
  account_id: string;
  account_name: string;
  /** Of the company's sign-in link. */
  sso_id: string;
}

/** Lists the companies of a person that open with single sign-on only, and not in this session. */
export async function listClosedCompanies(db: Queryable, { closed }: Pick<Caller, 'closed'>): Promise<ClosedCompany[]> {
  const found = await Promise.all(
    closed.map(async ({ account_id, account_name }) => {
      const sso = await findSso(db, account_id);
      return sso === null ? [] : [{ account_id, account_name, sso_id: sso.id }];
    }),
  );
  return found.flat();
}
