import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { meQuery } from './api/me.ts';
import { FailedPage, NotFoundPage } from './shell/notice-pages.tsx';
import { Shell } from './shell/shell.tsx';

/** The parent route of all pages. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
  loader: ({ context }) => context.queryClient.ensureQueryData(meQuery),
  notFoundComponent: NotFoundPage,
  errorComponent: FailedPage,
});

export type Root = typeof root;
