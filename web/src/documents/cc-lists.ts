import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { canonicalEmail } from './canonical-email.ts';
import { ccText } from './cc-texts.ts';
import { emptyRecipient, type NewRecipient } from './new-recipient.ts';

export type CcList = AnswerOf<'GET', '/cc-lists'>['data'][number];

export const ccListsKey = ['cc-lists'];
export const recipientsMax = 20;

/** Reads the company's cc lists. Each form reads them again, because it may begin with their people. */
export function useCcLists() {
  return useQuery({
    queryKey: ccListsKey,
    queryFn: () => api.get('/cc-lists'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/**
 * Adds the people of a list as recipients of a copy, without those who are recipients already. Adds nobody if they are too
 * many. `said`: what happened, for the user.
 */
export function withCcList(recipients: readonly NewRecipient[], { name, people }: CcList) {
  const present = new Set(recipients.map(({ email }) => canonicalEmail(email)));
  const others = people.filter(({ email }) => !present.has(canonicalEmail(email)));
  const left = people.length - others.length;
  if (recipients.length + others.length > recipientsMax) {
    const room = Math.max(0, recipientsMax - recipients.length);
    return { recipients: [...recipients], said: fill(ccText.full, { name, n: others.length, room }) };
  }
  const said = [
    others.length > 0 || left === 0 ? fill(count(others.length, ccText.added), { name }) : '',
    left > 0 ? fill(count(left, ccText.leftOut), { name }) : '',
  ];
  const added = others.map((person): NewRecipient => ({ ...emptyRecipient(), ...person, part: 'cc' }));
  return { recipients: [...recipients, ...added], said: said.filter((sentence) => sentence !== '').join(' ') };
}

/** Adds the lists that every new document gets. */
export function withDefaultLists(recipients: readonly NewRecipient[], lists: readonly CcList[]) {
  let form = { recipients: [...recipients], said: '' };
  for (const list of lists.filter(({ is_default: isDefault }) => isDefault)) {
    const next = withCcList(form.recipients, list);
    form = { recipients: next.recipients, said: `${form.said} ${next.said}`.trim() };
  }
  return form;
}
