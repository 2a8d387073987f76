import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const restMs = 1000;

/**
 * While the page is visible it hears when anything of the company changed, and asks anew for what it shows of it: once a
 * second at most. Hidden pages hold no connection, since a browser has few for each server. A page that comes back, or
 * whose connection broke, has missed something, so opening counts as a change.
 */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let hasOpened = false;
    const renew = () => {
      timer ??= setTimeout(() => {
        timer = null;
        void queryClient.invalidateQueries({ queryKey: ['documents'] });
      }, restMs);
    };
    const connect = () => {
      if (document.visibilityState === 'hidden') {
        source?.close();
        source = null;
        return;
      }
      if (source !== null) return;
      source = new EventSource('/console/api/live');
      source.addEventListener('open', () => {
        if (hasOpened) renew();
        hasOpened = true;
      });
      source.addEventListener('documents', renew);
    };
    connect();
    document.addEventListener('visibilitychange', connect);
    return () => {
      document.removeEventListener('visibilitychange', connect);
      source?.close();
      if (timer !== null) clearTimeout(timer);
    };
  }, [queryClient]);
}
