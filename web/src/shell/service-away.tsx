import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { reachability } from '../api/reachability.ts';
import { readAgain } from '../api/read-again.ts';
import { shellText } from './texts.ts';

/** Says that the service does not answer. When it does again, the page reads what it could not read. */
export function ServiceAway() {
  const isAway = useSyncExternalStore(reachability.subscribe, reachability.isAway);
  const wasAway = useRef(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    if (wasAway.current && !isAway) {
      void router.invalidate();
      readAgain(queryClient);
    }
    wasAway.current = isAway;
  }, [isAway, queryClient, router]);
  return (
    <div role="status">
      {isAway && (
        <p className="bg-warn-wash px-4 py-2.5 text-center font-medium text-warn sm:px-8">{shellText.serviceAway}</p>
      )}
    </div>
  );
}
