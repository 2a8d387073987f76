import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { useTyped } from '../ui/use-typed.ts';

export type Contact = AnswerOf<'GET', '/contacts'>['data'][number];
type Person = Record<'name' | 'email' | 'phone', string>;

/** Shorter texts match too many people. */
const lengthMin = 2;

/**
 * Suggests earlier recipients while a name or an e-mail address is typed. When it is that of exactly one of them, `onFill`
 * gets the other details, if none was entered.
 */
export function useContacts(
  { name, email, phone }: Person,
  onFill: (details: Partial<Person>) => void,
): { contacts: readonly Contact[]; onType: (field: 'name' | 'email', text: string) => void } {
  const [field, setField] = useState<'name' | 'email'>('name');
  const [asked, setAsked] = useState('');
  const [typed, setTyped] = useTyped(asked, setAsked);
  /** A text with which nobody begins. Longer ones need no request, which would look through many documents. */
  const nobody = useRef<string | null>(null);
  const isKnown = nobody.current !== null && asked !== nobody.current && asked.startsWith(nobody.current);
  const { data } = useQuery({
    queryKey: ['contacts', asked],
    queryFn: () => api.get('/contacts', { query: { q: asked } }),
    enabled: asked.length >= lengthMin && !isKnown,
    staleTime: 60_000,
  });
  if (data?.data.length === 0) nobody.current = asked;
  const contacts = (asked.length >= lengthMin && data?.data) || [];
  const [match, another] = contacts.filter((contact) => contact[field] === typed);

  const filled = useRef<Contact | null>(null);
  useEffect(() => {
    if (match === undefined || another !== undefined || match === filled.current) return;
    filled.current = match; // so that details can be cleared again
    const details = { name: match.name, email: match.email ?? '', phone: match.phone ?? '' };
    if (field === 'name' && name === match.name && email === '' && phone === '') onFill(details);
    if (field === 'email' && email === match.email && name === '')
      onFill({ ...details, phone: phone || details.phone });
  });

  return {
    contacts,
    onType(field, text) {
      setField(field);
      setTyped(text);
    },
  };
}
