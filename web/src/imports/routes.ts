import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Root } from '../root.tsx';
import { readItemSearch } from './item-search.ts';

export function importRoutes(root: Root) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/imports',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
  });
  const detail = createRoute({
    getParentRoute: () => root,
    path: '/imports/$id',
    validateSearch: readItemSearch,
    component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
  });
  return [list, detail] as const;
}
