import type { Query, QueryClient } from '@tanstack/react-query';

const restMs = 1000;
const waiting = new WeakSet<Query>();

/**
 * Reads what the page knows of documents again after a change, at most once a second. A read in progress may have begun before the
 * change, so another one follows it. It isn't cancelled: if changes come faster than answers, no read would end.
 */
export function renewDocuments(queryClient: QueryClient): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['documents'] })) void renew(queryClient, query);
}

async function renew(queryClient: QueryClient, query: Query): Promise<void> {
  if (waiting.has(query)) return;
  waiting.add(query);
  await rest();
  while (query.state.fetchStatus !== 'idle') {
    await query.promise?.catch(() => {});
    await rest(); // A list may continue with its next page.
  }
  waiting.delete(query);
  await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, restMs));
}
