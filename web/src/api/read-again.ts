import type { QueryClient } from '@tanstack/react-query';

/** For queries that a form begins with. Reading them again would replace what is being entered, or the version that it is based on. */
export const keptWhileEdited = { isKept: true };

/** Reads what the page shows again, and what it could not read. */
export function readAgain(queryClient: QueryClient): void {
  void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' && state.data === undefined });
  void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.isKept !== true });
}
