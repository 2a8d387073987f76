import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Root } from '../root.tsx';

export function unlockedRoutes(root: Root) {
  const text = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/unlocked',
    component: lazyRouteComponent(() => import('./text-page.tsx'), 'TextPage'),
  });
  const rendered = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/unlocked/pdf',
    component: lazyRouteComponent(() => import('./rendered-page.tsx'), 'RenderedPage'),
  });
  return [text, rendered] as const;
}
