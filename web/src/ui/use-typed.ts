import { useEffect, useRef, useState } from 'react';

const typingMs = 200;

/**
 * The text of a search box. After a pause its words are looked for: `search` puts them into the address, so that what is
 * found can be linked to and gone back from, and `words` are those of the address. Where these come from elsewhere, a
 * link or the way back, they replace the text; those that were typed leave it alone, a space at its end and all.
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
