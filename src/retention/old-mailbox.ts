import { oldestMailboxMessage, removeMailboxMessages } from '../platform/mailbox-messages.ts';
import { batchMax, batchOf, keptDays, type RetainedData } from './retained-data.ts';

/** Messages in the local mailbox, which has one file for each. */
export function oldMailbox(dir: string, days: number | null): RetainedData {
  return {
    name: 'mailbox',
    before: keptDays(days),
    removeBatch: async (before) => batchOf(await removeMailboxMessages(dir, before, batchMax)),
    oldest: () => oldestMailboxMessage(dir),
  };
}
