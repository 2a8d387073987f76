import { createRoute } from '@tanstack/react-router';
import type { Root } from '../root.tsx';
import { lazyPage } from '../shell/lazy-component.tsx';
import { readDocumentSearch } from './document-search.ts';
import { readFolderSearch } from './folder-search.ts';

export function documentRoutes(root: Root) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/documents',
    validateSearch: readDocumentSearch,
    component: lazyPage(() => import('./list-page.tsx'), 'ListPage'),
  });
  const detail = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id',
    // Why the PDF of a new document was not attached.
    validateSearch: ({ refused }: Record<string, unknown>): { refused?: string } =>
      typeof refused === 'string' ? { refused } : {},
    component: lazyPage(() => import('./document-page.tsx'), 'DocumentPage'),
  });
  const fresh = createRoute({
    getParentRoute: () => root,
    path: '/documents/new',
    validateSearch: readFolderSearch,
    component: lazyPage(() => import('./new-document-page.tsx'), 'NewDocumentPage'),
  });
  const fields = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/fields',
    component: lazyPage(() => import('./fields-page.tsx'), 'FieldsPage'),
  });
  const edit = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/edit',
    component: lazyPage(() => import('./edit-page.tsx'), 'EditPage'),
  });
  const preview = createRoute({
    getParentRoute: () => root,
    path: '/documents/$id/preview',
    component: lazyPage(() => import('./signer-preview-page.tsx'), 'SignerPreviewPage'),
  });
  return [list, fresh, detail, edit, fields, preview] as const;
}
