import type { Role } from '../api/me.ts';
import type { Tab } from '../ui/tabs.tsx';
import { settingsText } from './texts.ts';

const { tabs, groups } = settingsText;

/** A tab with the lowest role that sees it. */
type SettingsTab = Tab & { role: Role };

const developers: SettingsTab[] = [
  { name: tabs.keys, to: '/settings/api-keys', role: 'admin' },
  { name: tabs.webhooks, to: '/settings/webhooks', role: 'admin' },
  { name: tabs.events, to: '/settings/events', role: 'admin' },
  { name: tabs.requests, to: '/settings/requests', role: 'admin' },
];
const company: SettingsTab[] = [
  { name: tabs.usage, to: '/settings/usage', role: 'member' },
  { name: tabs.members, to: '/settings/members', role: 'member' },
  { name: tabs.folders, to: '/settings/folders', role: 'admin' },
  { name: tabs.sso, to: '/settings/single-sign-on', role: 'owner' },
  { name: tabs.branding, to: '/settings/branding', role: 'admin' },
  { name: tabs.domain, to: '/settings/domain', role: 'admin' },
];
const documents: SettingsTab[] = [
  { name: tabs.sending, to: '/settings/sending', role: 'admin' },
  { name: tabs.signing, to: '/settings/signing', role: 'admin' },
  { name: tabs.notices, to: '/settings/notices', role: 'admin' },
  { name: tabs.restricted, to: '/settings/restricted-papers', role: 'admin' },
  { name: tabs.connections, to: '/settings/connections', role: 'member' },
];
const records: SettingsTab[] = [
  { name: tabs.messages, to: '/settings/messages', role: 'admin' },
  { name: tabs.audit, to: '/settings/audit-log', role: 'admin' },
  { name: tabs.dataExport, to: '/settings/data-export', role: 'owner' },
];

export const settingsGroups: { name: string; tabs: SettingsTab[] }[] = [
  { name: groups.developers, tabs: developers },
  { name: groups.company, tabs: company },
  { name: groups.documents, tabs: documents },
  { name: groups.records, tabs: records },
];

export const settingsTabs: SettingsTab[] = settingsGroups.flatMap((group) => group.tabs);
