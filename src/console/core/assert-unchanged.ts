import type { Tx } from '../../postgres/database.ts';
import { ConsoleError } from './console-error.ts';

/**
 * Locks the company, and throws `changed_meanwhile` if its settings are no longer those that the page showed, because someone else
 * has saved them since. `shown`: undefined for a page that doesn't send them.
 */
export async function assertUnchanged<Settings extends object>(
  tx: Tx,
  accountId: string,
  shown: Settings | undefined,
  read: (tx: Tx, accountId: string) => Promise<Settings>,
): Promise<void> {
  if (shown === undefined) return;
  await tx.query({
    name: 'lock_account_for_settings',
    text: 'select from accounts where id = $1 for no key update',
    values: [accountId],
  });
  const isSame = ([name, value]: [string, unknown]) => {
    return JSON.stringify(shown[name as keyof Settings]) === JSON.stringify(value);
  };
  const present = await read(tx, accountId);
  if (!Object.entries(present).every(isSame)) throw new ConsoleError('changed_meanwhile');
}
