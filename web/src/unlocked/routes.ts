import { createRoute } from '@tanstack/react-router';
import type { Root } from '../root.tsx';
import { lazyPage } from '../shell/lazy-component.tsx';

export function unlockedRoutes(root: Root) {
  const text = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/unlocked',
    component: lazyPage(() => import('./text-page.tsx'), 'TextPage'),
  });
  const rendered = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/unlocked/pdf',
    component: lazyPage(() => import('./rendered-page.tsx'), 'RenderedPage'),
  });
  return [text, rendered] as const;
}
