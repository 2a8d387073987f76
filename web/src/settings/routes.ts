import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Root } from '../router.tsx';

/** The pages below `/settings`, loaded when one of them is opened. */
export function settingsRoutes(root: Root) {
  const settings = createRoute({
    getParentRoute: () => root,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  });
  return [settings] as const;
}
