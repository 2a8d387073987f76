import { createRoute } from '@tanstack/react-router';
import type { Root } from '../root.tsx';
import { lazyPage } from '../shell/lazy-component.tsx';
import { readItemSearch } from './item-search.ts';

export function importRoutes(root: Root) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/imports',
    component: lazyPage(() => import('./list-page.tsx'), 'ListPage'),
  });
  const detail = createRoute({
    getParentRoute: () => root,
    path: '/imports/$id',
    validateSearch: readItemSearch,
    component: lazyPage(() => import('./import-page.tsx'), 'ImportPage'),
  });
  return [list, detail] as const;
}
