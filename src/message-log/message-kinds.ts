import { type NoticeKind, noticeKinds } from '../accounts/notice-kinds.ts';
import { type DirectKind, directKinds } from '../messages/direct-message.ts';
import { type MessageKind, messageKinds } from '../messages/enqueue-messages.ts';

/** Everything that is sent about a document. */
export type LoggedKind = MessageKind | NoticeKind | DirectKind;

/** The tables of the log, with the kinds of messages that each has. */
export const kindsOfTable = {
  messages: messageKinds,
  notices: noticeKinds,
  direct_messages: directKinds,
} as const satisfies Record<string, readonly LoggedKind[]>;

export type MessageTable = keyof typeof kindsOfTable;

export const loggedKinds: readonly LoggedKind[] = Object.values(kindsOfTable).flat();

/**
 * What became of a message. `waiting`: for its first or next attempt. `accepted`: by the mail server, which is not yet the
 * mailbox. `bounced`: it was accepted and came back. `cancelled`: it was no longer needed.
 */
export const messageStates = ['waiting', 'accepted', 'bounced', 'failed', 'cancelled'] as const;

export type MessageState = (typeof messageStates)[number];
