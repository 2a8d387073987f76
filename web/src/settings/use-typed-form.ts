import type { QueryKey } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLeaveQuestion } from '../documents/use-unsaved-question.ts';
import { useSave } from './use-save.ts';

/**
 * Saves an uncontrolled form of settings, as `useSave` does. Fills it in with the newest settings as long as nobody has typed in it, and
 * asks before the page is left with input that isn't saved.
 *
 * - `shown`: the values that the form was filled in with, on which a change is based.
 * - `formKey`: the key of the form element. With another one, it is filled in again.
 */
export function useTypedForm<T>(newest: T, queryKey: QueryKey, saved: string) {
  const { save, clear, ...state } = useSave(queryKey, saved);
  const [{ shown, formKey }, show] = useState({ shown: newest, formKey: 0 });
  const [isTyped, setTyped] = useState(false);
  const [own, setOwn] = useState('');
  const changes = useRef(0);
  useLeaveQuestion(() => isTyped);
  const json = JSON.stringify(newest);
  if (json !== JSON.stringify(shown) && (json === own || !isTyped)) {
    // The form has what it saved itself. Filled in again, it would lose the focus.
    show({ shown: newest, formKey: json === own ? formKey : formKey + 1 });
    setOwn('');
  }
  return {
    ...state,
    shown,
    formKey,
    onChange: () => {
      changes.current++;
      setTyped(true);
      clear();
    },
    /** `post` returns the answer, which becomes `newest`. */
    save: (post: () => Promise<T>) =>
      save(async () => {
        const before = changes.current;
        const answer = await post();
        setOwn(JSON.stringify(answer));
        if (changes.current === before) setTyped(false);
        return answer;
      }),
  };
}
