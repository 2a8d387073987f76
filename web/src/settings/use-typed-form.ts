import { useRef, useState } from 'react';
import { useLeaveQuestion } from '../documents/use-unsaved-question.ts';

interface TypedForm<T> {
  /** The values that the form was filled in with. A change is based on them. */
  shown: T;
  /** Key of the form element: with another one, it is filled in again. */
  formKey: number;
  onTyped: () => void;
  /** Sends what was typed. Returns the answer, which becomes `newest`. */
  send: (post: () => Promise<T>) => Promise<T>;
}

/**
 * Fills in an uncontrolled form with the newest settings, as long as nobody has typed in it, and asks before the page is left with
 * input that isn't saved.
 */
export function useTypedForm<T>(newest: T): TypedForm<T> {
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
    shown,
    formKey,
    onTyped: () => {
      changes.current++;
      setTyped(true);
    },
    send: async (post) => {
      const before = changes.current;
      const answer = await post();
      setOwn(JSON.stringify(answer));
      if (changes.current === before) setTyped(false);
      return answer;
    },
  };
}
