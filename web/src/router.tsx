import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { documentRoutes } from './documents/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { root } from './root.tsx';
import { settingsRoutes } from './settings/routes.ts';
import { FailedPage, NotFoundPage } from './shell/notice-pages.tsx';
import { templateRoutes } from './templates/routes.ts';
import { unlockedRoutes } from './unlocked/routes.ts';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/documents', search: {} });
  },
});

const routeTree = root.addChildren([
  home,
  ...documentRoutes(root),
  ...templateRoutes(root),
  ...importRoutes(root),
  ...unlockedRoutes(root),
  ...settingsRoutes(root),
  ...operatorRoutes(root),
]);

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
