import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Root } from '../router.tsx';

/** Which of an import's files are shown: all, or those that did not land. */
export interface ItemSearch {
  show?: 'failed';
}

export function importRoutes(root: Root) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/imports',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
  });
  const detail = createRoute({
    getParentRoute: () => root,
    path: '/imports/$id',
    validateSearch: ({ show }: Record<string, unknown>): ItemSearch => (show === 'failed' ? { show } : {}),
    component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
  });
  return [list, detail] as const;
}
