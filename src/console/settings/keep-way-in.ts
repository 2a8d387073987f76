import type { Tx } from '../../postgres/database.ts';
import { hasWayIn } from '../../sso/way-in.ts';
import { ConsoleError } from '../core/console-error.ts';

/**
 * Makes a change to members or factors. `companies`: locked companies that open with single sign-on only. Throws
 * `owner_factor_needed` if one of them would lose its last other way in.
 */
export async function keepWayIn<Result>(
  tx: Tx,
  companies: readonly string[],
  act: () => Promise<Result>,
): Promise<Result> {
  const open: string[] = [];
  for (const id of companies) if (await hasWayIn(tx, id)) open.push(id);
  const result = await act();
  for (const id of open) if (!(await hasWayIn(tx, id))) throw new ConsoleError('owner_factor_needed');
  return result;
}
