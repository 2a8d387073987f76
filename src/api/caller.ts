import type { KeyMode } from '../keys/api-key.ts';
import type { Scope } from '../keys/scopes.ts';

/** The caller: one key of one company, admitted within its budget. */
export interface Caller {
  keyId: string;
  mode: KeyMode;
  scopes: readonly Scope[];
  accountId: string;
}
