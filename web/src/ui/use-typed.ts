import { useEffect, useRef, useState } from 'react';

const typingMs = 200;

/**
 * The state of a search box. After a pause `search` puts the words into the address, so that searches can be linked to and
 * the back button works. If the address changes for another reason, its words replace the text. Otherwise the text stays
 * as typed, including a trailing space.
 */
export function useTyped(words: string, search: (words: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(words);
  const known = useRef(words);
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (words !== known.current) setTyped(words);
    known.current = words;
  }, [words]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === words) return;
    const timer = setTimeout(() => {
      known.current = wanted;
      latest.current(wanted);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed, words]);
  return [typed, setTyped];
}
