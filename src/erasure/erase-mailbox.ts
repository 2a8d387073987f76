import { listMailbox, removeMailboxMessage } from '../platform/mailbox.ts';

/** Removes all messages to an address from the local mailbox, or only counts them. Returns how many. */
export async function eraseMailbox(dir: string, email: string, { isCount }: { isCount: boolean }): Promise<number> {
  const messages = await listMailbox(dir, { to: email });
  if (!isCount) for (const { id } of messages) await removeMailboxMessage(dir, id);
  return messages.length;
}
