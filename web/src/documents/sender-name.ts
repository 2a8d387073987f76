import type { AnswerOf } from '../api/client.ts';
import { documentsText } from './texts.ts';

type Sender = AnswerOf<'GET', '/documents/senders'>['data'][number];

export function senderName({ kind, name }: Pick<Sender, 'kind' | 'name'>): string {
  const { operator, service, unknown } = documentsText.senders;
  if (kind === 'operator') return operator;
  return kind === 'service' ? service : (name ?? unknown);
}
