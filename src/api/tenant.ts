import { ApiError } from '../errors.ts';
import type { Caller } from './caller.ts';

/**
 * The last check before a row is shown: it belongs to the caller's company. Every query already filters by company, so
 * another row means faulty data or code. Nothing is shown then (`tenant_divergence`).
 */
export function assertOwned<Row extends { account_id: string; id: string }>(caller: Caller, row: Row): Row {
  if (row.account_id === caller.accountId) return row;
  throw new ApiError('tenant_divergence', {
    cause: new Error(`key ${caller.keyId} of account ${caller.accountId} was given row ${row.id} of another account`),
  });
}
