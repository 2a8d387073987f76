import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { reachability } from '../api/reachability.ts';
import { renewDocuments } from './renew-documents.ts';

const waitMsMin = 2000;
const waitMsMax = 60_000;

/**
 * Refreshes the page's data when a document of the company changes. Hidden pages hold no connection, because browsers limit
 * connections per server, and neither do pages whose session has ended. A new connection counts as a change, because earlier
 * events were missed.
 */
export function useLiveUpdates(isSignedOut: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isSignedOut) return;
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let waitMs = waitMsMin;
    const renew = () => renewDocuments(queryClient);
    const close = () => {
      clearTimeout(retry);
      source?.close();
      source = null;
    };
    const connect = () => {
      if (document.visibilityState === 'hidden') return close();
      if (source !== null) return;
      clearTimeout(retry);
      const opened = new EventSource('/console/api/live');
      source = opened;
      opened.addEventListener('open', () => {
        waitMs = waitMsMin;
        renew();
      });
      opened.addEventListener('documents', renew);
      // Browsers connect again after a lost connection, but not after a refusal.
      opened.addEventListener('error', () => {
        if (source !== opened || opened.readyState !== EventSource.CLOSED) return;
        source = null;
        retry = setTimeout(connect, waitMs * (0.5 + Math.random() / 2)); // Pages must not all connect at the same moment.
        waitMs = Math.min(waitMs * 2, waitMsMax);
      });
    };
    connect();
    document.addEventListener('visibilitychange', connect);
    const stopListening = reachability.subscribe(connect);
    return () => {
      document.removeEventListener('visibilitychange', connect);
      stopListening();
      close();
    };
  }, [queryClient, isSignedOut]);
}
