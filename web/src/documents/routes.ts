import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Root } from '../router.tsx';

/** What the list shows: words to look for, and a status or none. */
export interface DocumentSearch {
  q?: string;
  status?: string;
}

export function documentRoutes(root: Root) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/documents',
    validateSearch: (search: Record<string, unknown>): DocumentSearch => ({
      ...(typeof search.q === 'string' && search.q !== '' ? { q: search.q } : {}),
      ...(typeof search.status === 'string' && search.status !== '' ? { status: search.status } : {}),
    }),
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
  });
  const detail = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id',
    component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
  });
  return [list, detail] as const;
}
