import { createLink, useRouterState } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { DocumentSearch } from '../documents/document-search.ts';
import { Icon } from './icon.tsx';

/** A link above the heading to the parent page. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a
    {...rest}
    className="-ml-1 inline-flex min-h-9 items-center gap-1 text-sm font-medium text-soft hover:text-ink max-lg:min-h-11"
  >
    <Icon name="back" size={16} />
    {children}
  </a>
));

/** The searches of the lists from which pages were opened, by the path of the page. */
const searches = new Map<string, DocumentSearch>();

/**
 * The search of the list from which a page was last opened, also after other pages in between, such as the form of the document.
 * Empty if it was opened from elsewhere.
 */
export function useListSearch(): DocumentSearch {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const search = useRouterState({ select: ({ location }) => location.state.list });
  if (search !== undefined) searches.set(path, search);
  return searches.get(path) ?? {};
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    list?: DocumentSearch;
  }
}
