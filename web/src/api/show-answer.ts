import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Shows the answer of a change instead of what was read under `queryKey`. Reads in progress are cancelled: they may have begun
 * before the change.
 */
export async function showAnswer(queryClient: QueryClient, queryKey: QueryKey, answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, answer);
}
