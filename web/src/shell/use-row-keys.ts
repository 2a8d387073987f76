import { useEffect } from 'react';
import { isInDialog, isTyping } from './use-shortcuts.ts';

/** Moves through the links of a list's rows with the keys j and k. */
export function useRowKeys(body: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return; // by an open menu
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || isTyping(event.target) || isInDialog()) return;
      const links = [...(body.current?.querySelectorAll('a') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [body]);
}
