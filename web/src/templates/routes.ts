import { createRoute } from '@tanstack/react-router';
import { readDocumentSearch } from '../documents/document-search.ts';
import { readFolderSearch } from '../documents/folder-search.ts';
import type { Root } from '../root.tsx';
import { lazyPage } from '../shell/lazy-component.tsx';
import { readRowSearch } from './bulk/row-search.ts';

/** Search words of the list, and the id of a folder or `none`. */
export interface TemplateSearch {
  q?: string;
  folder?: string;
}

/** Reads the address of the list, as `readDocumentSearch` does. */
function readTemplateSearch({ q, folder }: Record<string, unknown>): TemplateSearch {
  return readDocumentSearch({ q, folder });
}

export function templateRoutes(root: Root) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/templates',
    validateSearch: readTemplateSearch,
    component: lazyPage(() => import('./list-page.tsx'), 'ListPage'),
  });
  const fresh = createRoute({
    getParentRoute: () => root,
    path: '/templates/new',
    validateSearch: readFolderSearch,
    component: lazyPage(() => import('./new-template-page.tsx'), 'NewTemplatePage'),
  });
  const detail = createRoute({
    getParentRoute: () => root,
    path: '/templates/$id',
    // Why the PDF of a new template was not attached.
    validateSearch: ({ refused }: Record<string, unknown>): { refused?: string } =>
      typeof refused === 'string' ? { refused } : {},
    component: lazyPage(() => import('./template-page.tsx'), 'TemplatePage'),
  });
  const use = createRoute({
    getParentRoute: () => root,
    path: '/templates/$id/use',
    component: lazyPage(() => import('./use-template-page.tsx'), 'UseTemplatePage'),
  });
  const bulk = createRoute({
    getParentRoute: () => root,
    path: '/templates/$id/bulk',
    component: lazyPage(() => import('./bulk/bulk-page.tsx'), 'BulkPage'),
  });
  const bulkSend = createRoute({
    getParentRoute: () => root,
    path: '/templates/$id/bulk/$bulk',
    validateSearch: readRowSearch,
    component: lazyPage(() => import('./bulk/bulk-send-page.tsx'), 'BulkSendPage'),
  });
  const links = createRoute({
    getParentRoute: () => root,
    path: '/templates/$id/links',
    component: lazyPage(() => import('./links/links-page.tsx'), 'LinksPage'),
  });
  const link = createRoute({
    getParentRoute: () => root,
    path: '/templates/$id/links/$link',
    component: lazyPage(() => import('./links/link-page.tsx'), 'LinkPage'),
  });
  return [list, fresh, detail, use, bulk, bulkSend, links, link] as const;
}
