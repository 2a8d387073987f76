import { getRouteApi, Link } from '@tanstack/react-router';
import { type ItemOf, useList } from '../api/list.ts';
import { count, fill, formatMoment } from '../language.ts';
import { DeliveryError } from '../ui/delivery-error.tsx';
import { deliveryStates, deliveryText } from '../ui/delivery-texts.ts';
import { Badge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import { LogList } from './log-list.tsx';
import { MessageFilters } from './message-filters.tsx';
import { messageKinds, messagesText } from './messages-texts.ts';
import { Cell, Row, Rows } from './rows.tsx';

type Message = ItemOf<'/messages'>;

const route = getRouteApi('/settings-tabs/settings/messages');
const pageSize = 50;

/** The message log: what the company's documents have sent, newest first. */
export function MessagesPage() {
  const search = route.useSearch();
  const list = useList(['messages', search], '/messages', { query: { ...search }, limit: pageSize });
  return (
    <LogList
      texts={messagesText}
      list={list}
      search={search}
      exportPath="/messages/export"
      filters={<MessageFilters search={search} />}
    >
      <MessageRows messages={list.items} />
    </LogList>
  );
}

function MessageRows({ messages }: { messages: readonly Message[] }) {
  const { columns } = messagesText;
  return (
    <div className="mt-4">
      <Rows caption={messagesText.list} columns={Object.values(columns)}>
        {messages.map((message) => (
          <Row key={message.id}>
            <Cell label={columns.at} className="text-sm whitespace-nowrap text-soft">
              <Time at={message.queued_at} />
            </Cell>
            <Cell className="font-semibold max-md:-order-1">{messageKinds[message.kind]}</Cell>
            <Cell label={columns.to} className="text-sm wrap-anywhere">
              <Recipient to={message.to} />
            </Cell>
            <Cell label={columns.document} className="text-sm wrap-anywhere">
              <Link to="/documents/$id" params={{ id: message.document.id }} className="text-accent underline">
                <bdi>{message.document.title}</bdi>
              </Link>
            </Cell>
            <Cell label={columns.state} className="text-sm">
              <State message={message} />
            </Cell>
          </Row>
        ))}
      </Rows>
    </div>
  );
}

function Recipient({ to: { is_member, name, address } }: Pick<Message, 'to'>) {
  const who = is_member ? messagesText.member : name;
  return (
    <>
      {who !== null && <bdi className="block">{who}</bdi>}
      <span className="text-soft">{address === null ? messagesText.noAddress : <bdi dir="ltr">{address}</bdi>}</span>
    </>
  );
}

const tones = { waiting: 'active', accepted: 'good', bounced: 'bad', failed: 'bad', cancelled: 'neutral' } as const;

function State({ message }: { message: Message }) {
  const {
    state,
    is_running,
    attempts,
    accepted_at,
    failed_at,
    queue_id,
    next_attempt_at,
    delayed_at,
    bounced_at,
    error,
  } = message;
  const at = bounced_at ?? failed_at ?? accepted_at;
  return (
    <div className="grid gap-1">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[state]}>{is_running ? deliveryText.running : deliveryStates[state]}</Badge>
        {at !== null && (
          <span className="text-soft">
            <Time at={at} />
          </span>
        )}
      </span>
      {queue_id !== null && (
        <span className="text-xs wrap-anywhere text-soft">{fill(deliveryText.queueId, { id: queue_id })}</span>
      )}
      {delayed_at !== null && <span>{fill(deliveryText.delayed, { when: formatMoment(delayed_at) })}</span>}
      {error !== null && <DeliveryError error={error} />}
      {attempts > 0 && state !== 'accepted' && (
        <span className="text-xs text-soft">{count(attempts, deliveryText.tries)}</span>
      )}
      {next_attempt_at !== null && (
        <span className="text-xs text-soft">{fill(deliveryText.next, { when: formatMoment(next_attempt_at) })}</span>
      )}
    </div>
  );
}
