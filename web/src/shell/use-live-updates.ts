import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const restMs = 1000;

/**
 * While the page is visible it hears when a document of the company changed, and asks anew for what it shows: once a
 * second at most. Hidden pages hold no connection, since a browser has few for each server. What happens before the
 * connection stands is not told, so opening it counts as a change.
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
