import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const restMs = 1000;

/**
 * Refreshes the page's data when a document of the company changes, at most once a second. Hidden pages hold no connection,
 * because browsers limit connections per server. A new connection counts as a change, because earlier events were missed.
 */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
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
      source.addEventListener('open', renew);
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
