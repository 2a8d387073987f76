import type { Page } from 'playwright-core';
import { aPdf } from '../../imports/a-pdf.ts';

/** Whose browser takes a picture: someone of a company that has documents, imports, files or settings, an operator, or a guest. */
export type Sitter = 'documents' | 'imports' | 'uploads' | 'settings' | 'operator' | 'guest';

/** A page, or a state of it, that is looked at on each device. */
export interface Shot {
  name: string;
  /** With the name of a sample in braces for each variable part. */
  path: string;
  as: Sitter;
  /** Brings about the state. Runs in English only, because it uses the words on the page. */
  prepare?: (page: Page) => Promise<void>;
}

const documents: Omit<Shot, 'as'>[] = [
  { name: 'documents', path: '/documents' },
  { name: 'folder', path: '/documents?folder={folder}' },
  { name: 'document', path: '/documents/{lease}' },
  { name: 'completed', path: '/documents/{completed}' },
  { name: 'draft', path: '/documents/{draft}' },
  { name: 'new', path: '/documents/new' },
  { name: 'edit', path: '/documents/{prepared}/edit' },
  { name: 'templates', path: '/templates' },
  { name: 'new-template', path: '/templates/new' },
  { name: 'template', path: '/templates/{template}' },
  { name: 'use-template', path: '/templates/{template}/use' },
  { name: 'bulk-sends', path: '/templates/{bulkTemplate}/bulk' },
  { name: 'bulk-send', path: '/templates/{bulkTemplate}/bulk/{bulk}' },
  { name: 'public-links', path: '/templates/{linkTemplate}/links' },
  { name: 'public-link', path: '/templates/{linkTemplate}/links/{link}' },
  {
    name: 'preview',
    path: '/documents/{prepared}/preview',
    prepare: async (page) => {
      await page.getByLabel('On').selectOption(await page.evaluate('innerWidth < 1000 ? "phone" : "desk"'));
      await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'fields',
    path: '/documents/{prepared}/fields',
    prepare: (page) => page.getByRole('button', { name: /Signature of Alan/ }).click(),
  },
  {
    name: 'void',
    path: '/documents/{lease}',
    prepare: (page) => page.getByRole('button', { name: 'Void document' }).click(),
  },
  { name: 'review', path: '/documents/{reviewed}' },
  { name: 'mirror', path: '/documents/{mirror}' },
  {
    name: 'restrict',
    path: '/documents/{draft}',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions for this document' }).click();
      await page.getByRole('menuitem', { name: 'Restrict' }).click();
    },
  },
  {
    name: 'palette',
    path: '/documents',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Search or go to' }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('ro');
      // The search begins after a pause, by the clock that stands still.
      await page.clock.runFor(300);
    },
  },
];

const imports: Omit<Shot, 'as'>[] = [
  { name: 'imports', path: '/imports' },
  { name: 'import', path: '/imports/{links}' },
  {
    name: 'migration',
    path: '/imports',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Import from vendor' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

const uploads: Omit<Shot, 'as'>[] = [
  { name: 'import-files', path: '/imports', prepare: (page) => chooseFiles(page) },
  {
    name: 'import-sending',
    path: '/imports',
    prepare: async (page) => {
      // The first is imported, the second cancelled, and the others in progress.
      let sent = 0;
      await page.route('**/items/*/file', async (route) => {
        sent += 1;
        if (sent === 1) await route.continue();
      });
      await chooseFiles(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel Plan of the roof.pdf' }).click();
      await page.getByText('1 imported · 1 failed').waitFor();
    },
  },
  {
    name: 'unlock',
    path: '/documents/{locked}',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByText('Your company has').waitFor();
    },
  },
  {
    name: 'editable-text',
    path: '/documents/{unlocked}/unlocked',
    prepare: (page) => page.getByRole('textbox', { name: 'Block 2 on page 1' }).click(),
  },
  {
    name: 'rendered',
    path: '/documents/{unlocked}/unlocked/pdf',
    prepare: (page) => page.getByRole('img', { name: 'Page 1 of 1' }).waitFor(),
  },
];

const settings: Omit<Shot, 'as'>[] = [
  { name: 'settings', path: '/settings' },
  { name: 'api-keys', path: '/settings/api-keys' },
  { name: 'webhooks', path: '/settings/webhooks' },
  {
    name: 'webhook',
    path: '/settings/webhooks/{webhook}',
    prepare: (page) => page.getByText('302, redirects are not followed').click(),
  },
  { name: 'connections', path: '/settings/connections' },
  { name: 'usage', path: '/settings/usage' },
  { name: 'members', path: '/settings/members' },
  { name: 'folders', path: '/settings/folders' },
  { name: 'folder-members', path: '/settings/folders/{legal}' },
  { name: 'single-sign-on', path: '/settings/single-sign-on' },
  { name: 'restricted-papers', path: '/settings/restricted-papers' },
  { name: 'sending', path: '/settings/sending' },
  { name: 'signing', path: '/settings/signing' },
  { name: 'notices', path: '/settings/notices' },
  { name: 'branding', path: '/settings/branding' },
  { name: 'domain', path: '/settings/domain' },
  { name: 'events', path: '/settings/events' },
  { name: 'requests', path: '/settings/requests' },
  { name: 'messages', path: '/settings/messages' },
  { name: 'audit-log', path: '/settings/audit-log' },
  { name: 'data-export', path: '/settings/data-export' },
  { name: 'developers', path: '/developers' },
  { name: 'account', path: '/account' },
  { name: 'unknown', path: '/no-such-page' },
];

const operator: Omit<Shot, 'as'>[] = [
  { name: 'operator', path: '/operator/companies' },
  { name: 'operator-company', path: '/operator/companies/{company}' },
  ...['plans', 'queues', 'storage', 'service', 'log'].map((part) => ({
    name: `operator-${part}`,
    path: `/operator/${part}`,
  })),
];

const guest: Omit<Shot, 'as'>[] = [
  { name: 'sign-in', path: '/documents' },
  { name: 'sign-in-link', path: '/sign-in/{signInToken}' },
  { name: 'sso-failed', path: '/sign-in/sso/failed' },
  { name: 'guest-link', path: '/link/{linkToken}' },
  { name: 'guest-link-ended', path: '/link/{endedToken}' },
  { name: 'verify', path: '/verify' },
  { name: 'mailbox', path: '/mailbox' },
];

/** Every page of the console and of what leads to it, and the states that are worth a picture. */
export const shots: readonly Shot[] = [
  ...sitting('documents', documents),
  ...sitting('imports', imports),
  ...sitting('uploads', uploads),
  ...sitting('settings', settings),
  ...sitting('operator', operator),
  ...sitting('guest', guest),
];

function sitting(as: Sitter, taken: Omit<Shot, 'as'>[]): Shot[] {
  return taken.map((shot) => ({ ...shot, as }));
}

async function chooseFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import files' }).click();
  const names = ['Lease of the workshop', 'Plan of the roof', 'Estimate: scaffolding', 'Warranty', 'Permit 2026-114'];
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles(
      names.map((name, index) => ({
        name: `${name}.pdf`,
        mimeType: 'application/pdf',
        buffer: aPdf({ bytes: 400_000 * (index + 1) }),
      })),
    );
  await page.getByRole('dialog').getByText('5 files').waitFor();
}
