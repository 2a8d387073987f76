import { createRoute } from '@tanstack/react-router';
import type { Root } from '../root.tsx';
import { lazyPage } from '../shell/lazy-component.tsx';

/** The operator's page. It is one route with one script, which others than operators never load. */
export function operatorRoutes(root: Root) {
  const operator = createRoute({
    getParentRoute: () => root,
    path: '/operator/$',
    component: lazyPage(() => import('./operator-page.tsx'), 'OperatorPage'),
  });
  return [operator] as const;
}
