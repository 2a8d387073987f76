import type { MessageAttempt } from '../jobs/message-attempts.ts';
import type { Language } from '../platform/language.ts';
import type { Timestamp } from '../postgres/timestamp.ts';
import { explainReply } from './explain-reply.ts';
import type { MessageState } from './message-kinds.ts';
import { kindNames } from './message-words.ts';
import type { LoggedMessage } from './read-message-log.ts';

/** Why a message was not delivered: in plain words, and the reply of the server. */
export interface DeliveryError {
  text: string;
  reply: string;
}

/** What became of a message. */
export interface MessageDelivery {
  state: MessageState;
  /** Whether a worker delivers it now. Only messages that wait. */
  is_running: boolean;
  attempts: number;
  /** When the server took it. */
  accepted_at: Timestamp | null;
  /** When it was given up. */
  failed_at: Timestamp | null;
  /** The id under which the server queued it, to search for in its logs. */
  queue_id: string | null;
  next_attempt_at: Timestamp | null;
  /** When a mail server reported that it still tries. */
  delayed_at: Timestamp | null;
  bounced_at: Timestamp | null;
  error: DeliveryError | null;
}

type Delivered = Pick<
  LoggedMessage,
  'status' | 'attempts' | 'last_error' | 'provider_id' | 'settled_at' | 'delayed_at' | 'bounced_at' | 'reported_reason'
>;

/** Describes what became of a message. `attempt`: the job of a message that waits. */
export function deliveryJson(row: Delivered, attempt: MessageAttempt | undefined, language: Language): MessageDelivery {
  const { status, attempts, provider_id, settled_at, delayed_at, bounced_at } = row;
  const isPending = status === 'pending';
  const reply = row.reported_reason ?? row.last_error;
  return {
    state: stateOf(row),
    is_running: isPending && attempt?.isRunning === true,
    attempts,
    accepted_at: status === 'accepted' ? settled_at : null,
    failed_at: status === 'failed' ? settled_at : null,
    queue_id: provider_id,
    next_attempt_at: isPending ? (attempt?.nextAt ?? null) : null,
    delayed_at: bounced_at === null ? delayed_at : null,
    bounced_at,
    error: reply === null ? null : { text: explainReply(reply, language), reply },
  };
}

function stateOf({ status, bounced_at }: Pick<Delivered, 'status' | 'bounced_at'>): MessageState {
  if (status === 'pending') return 'waiting';
  return status === 'accepted' && bounced_at !== null ? 'bounced' : status;
}

/** A message as the console, exports and the command line show it. */
export function messageJson(row: LoggedMessage, attempt: MessageAttempt | undefined, language: Language) {
  const { id, kind, channel, document_id, title, recipient_id, name, address, created_at } = row;
  return {
    id,
    queued_at: created_at,
    kind,
    kind_name: kindNames[language][kind],
    channel,
    to: { is_member: recipient_id === null, name, address },
    document: { id: document_id, title },
    ...deliveryJson(row, attempt, language),
  };
}

export type MessageJson = ReturnType<typeof messageJson>;
