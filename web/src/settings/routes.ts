import { createRoute, redirect } from '@tanstack/react-router';
import { isAtLeast, meQuery } from '../api/me.ts';
import type { Root } from '../root.tsx';
import { lazyPage } from '../shell/lazy-component.tsx';
import type { AuditSearch } from './audit-search.ts';
import type { DeliverySearch } from './delivery-search.ts';
import type { EventSearch } from './event-search.ts';
import type { MessageSearch } from './message-search.ts';
import type { RequestSearch } from './request-search.ts';
import { SettingsLayout } from './settings-layout.tsx';

/**
 * Reads the filters of an address. One that is no text is undefined, because the router keeps what is left out here. It reads
 * `search=2026` as a number.
 */
function textsOf<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const texts = names.map((name) => {
    const value = search[name];
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return [name, typeof text === 'string' && text !== '' ? text : undefined];
  });
  return Object.fromEntries(texts) as Partial<Record<Name, string>>;
}

/** Routes of settings, developers and account. Their pages are loaded on demand. */
export function settingsRoutes(root: Root) {
  const settings = createRoute({
    getParentRoute: () => root,
    path: '/settings',
    beforeLoad: async ({ context }) => {
      const { role } = await context.queryClient.ensureQueryData(meQuery);
      throw redirect({ to: isAtLeast(role, 'admin') ? '/settings/api-keys' : '/settings/usage' });
    },
  });
  const tabs = createRoute({
    getParentRoute: () => root,
    id: 'settings-tabs',
    component: SettingsLayout,
  });
  const keys = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/api-keys',
    component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
  });
  const webhooks = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/webhooks',
    component: lazyPage(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
  });
  const webhook = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/webhooks/$id',
    validateSearch: (search: Record<string, unknown>): DeliverySearch & { delivery?: string } =>
      textsOf(search, ['delivery', 'search', 'status', 'event', 'answer', 'from', 'to']),
    component: lazyPage(() => import('./webhook-page.tsx'), 'WebhookPage'),
  });
  const connections = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/connections',
    component: lazyPage(() => import('./connections-page.tsx'), 'ConnectionsPage'),
  });
  const usage = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/usage',
    component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
  });
  const members = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/members',
    component: lazyPage(() => import('./members-page.tsx'), 'MembersPage'),
  });
  const folders = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/folders',
    component: lazyPage(() => import('./folders-page.tsx'), 'FoldersPage'),
  });
  const folder = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/folders/$id',
    component: lazyPage(() => import('./folder-page.tsx'), 'FolderPage'),
  });
  const sso = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/single-sign-on',
    component: lazyPage(() => import('./sso-page.tsx'), 'SsoPage'),
  });
  const restricted = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/restricted-papers',
    component: lazyPage(() => import('./restricted-page.tsx'), 'RestrictedPage'),
  });
  const notices = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/notices',
    component: lazyPage(() => import('./notices-page.tsx'), 'NoticesPage'),
  });
  const sending = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/sending',
    component: lazyPage(() => import('./sending-page.tsx'), 'SendingPage'),
  });
  const signing = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/signing',
    component: lazyPage(() => import('./signing-page.tsx'), 'SigningPage'),
  });
  const branding = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/branding',
    component: lazyPage(() => import('./branding-page.tsx'), 'BrandingPage'),
  });
  const domain = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/domain',
    component: lazyPage(() => import('./domain-page.tsx'), 'DomainPage'),
  });
  const events = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/events',
    validateSearch: (search: Record<string, unknown>): EventSearch =>
      textsOf(search, ['search', 'event', 'status', 'from', 'to']),
    component: lazyPage(() => import('./events-page.tsx'), 'EventsPage'),
  });
  const requests = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/requests',
    validateSearch: (search: Record<string, unknown>): RequestSearch => textsOf(search, ['search', 'status', 'method']),
    component: lazyPage(() => import('./requests-page.tsx'), 'RequestsPage'),
  });
  const messages = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/messages',
    validateSearch: (search: Record<string, unknown>): MessageSearch =>
      textsOf(search, ['state', 'kind', 'address', 'document_id', 'from', 'to']),
    component: lazyPage(() => import('./messages-page.tsx'), 'MessagesPage'),
  });
  const audit = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/audit-log',
    validateSearch: (search: Record<string, unknown>): AuditSearch =>
      textsOf(search, ['search', 'action', 'person', 'from', 'to']),
    component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
  });
  const dataExport = createRoute({
    getParentRoute: () => tabs,
    path: '/settings/data-export',
    component: lazyPage(() => import('./data-export-page.tsx'), 'DataExportPage'),
  });
  const developers = createRoute({
    getParentRoute: () => root,
    path: '/developers',
    component: lazyPage(() => import('./developers-page.tsx'), 'DevelopersPage'),
  });
  const account = createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
  });
  const pages = tabs.addChildren([
    keys,
    webhooks,
    webhook,
    connections,
    usage,
    members,
    folders,
    folder,
    sso,
    restricted,
    sending,
    signing,
    notices,
    branding,
    domain,
    events,
    requests,
    messages,
    audit,
    dataExport,
  ]);
  return [settings, pages, developers, account] as const;
}
