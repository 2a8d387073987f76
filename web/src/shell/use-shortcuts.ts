import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

interface Openers {
  openPalette: () => void;
  openShortcuts: () => void;
}

const chordMs = 1000;

/**
 * Handles shortcuts: Ctrl K anywhere, single keys outside inputs and dialogs. `g` waits a second for the next key, and `/`
 * focuses the search box of the page, or else opens the palette.
 */
export function useShortcuts(openers: Openers): void {
  const navigate = useNavigate();
  const latest = useRef(openers);
  latest.current = openers;

  useEffect(() => {
    let goPressedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return; // by an open menu
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isInDialog()) latest.current.openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isInDialog()) return;
      const isAfterGo = event.timeStamp - goPressedAt < chordMs;
      goPressedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (event.key === '?') latest.current.openShortcuts();
      else if (event.key === '/') {
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>('input[type=search]');
        if (search === null) latest.current.openPalette();
        else search.focus();
      } else if (isAfterGo && event.key === 'd') void navigate({ to: '/documents', search: {} });
      else if (isAfterGo && event.key === 't') void navigate({ to: '/templates', search: {} });
      else if (isAfterGo && event.key === 'i') void navigate({ to: '/imports' });
      else if (isAfterGo && event.key === 's') void navigate({ to: '/settings' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate]);
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

export function isInDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
