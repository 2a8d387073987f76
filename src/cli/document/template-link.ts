import type { Command } from 'commander';
import { linkOrigin } from '../../custom-domain/link-origin.ts';
import { findDocument } from '../../documents/queries.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { availabilityOf } from '../../public-link/availability.ts';
import { listLinkDocuments } from '../../public-link/link-documents.ts';
import {
  defaultSettings,
  documentsMaxMax,
  type LinkSettings,
  readSettings,
  type TypedSettings,
} from '../../public-link/link-settings.ts';
import { addLink, editLink, removeLink, switchLinkOff, switchLinkOn } from '../../public-link/manage-links.ts';
import { readTemplate } from '../../public-link/open-link.ts';
import {
  findLink,
  linkAddress,
  linksMax,
  listLinks,
  lockLink,
  type PublicLink,
} from '../../public-link/public-link.ts';
import { findActiveCompany } from '../account/find-company.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { actor, type Session, withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';
import { lockTemplate } from './lock-document.ts';

interface LinkOptions {
  name?: string;
  language?: 'en' | 'es';
  endsAt?: string;
  max?: number;
  onePerEmail?: 'on' | 'off';
}

/** Everything that members do with the public links of a template. */
export function defineLink(template: Command): void {
  const link = template.command('link').description('links of a template from which anyone can sign');

  addSettings(link.command('create <template>'))
    .description('make a link; one signer of the template must be without an e-mail address')
    .action((id: string, options: LinkOptions, command: Command) =>
      show(command, (session) =>
        session.db.transaction(async (tx) => {
          const found = await lockTemplate(tx, id);
          await findActiveCompany(tx, found.account_id);
          const settings = settingsOf(options, defaultSettings(found.primary_language));
          return addLink(session.world, tx, found, actor, settings);
        }),
      ),
    );

  link
    .command('list <template>')
    .description('list the links of a template, newest first')
    .action(async (id: string, _options, command: Command) => {
      const links = await withDatabase(async (session) => {
        const found = await byId('template', id, () => findTemplate(session.db, id));
        const rows = await listLinks(session.db, found, { afterId: null, limit: linksMax });
        return Promise.all(rows.map((row) => linkView(session, row)));
      });
      answer(command, links, (rows) => table(rows.map(shortView), 'no links'));
    });

  link
    .command('show <id>')
    .description('show a link: its address, its settings, and what visitors meet now')
    .action((id: string, _options, command: Command) => show(command, ({ db }) => findById(db, id)));

  addSettings(link.command('change <id>'))
    .description('change the settings of a link; what is left out stays')
    .action((id: string, options: LinkOptions, command: Command) =>
      change(command, id, ({ world }, tx, found) => editLink(world, tx, found, actor, settingsOf(options, found))),
    );

  link
    .command('on <id>')
    .description('switch a link on')
    .action((id: string, _options, command: Command) =>
      change(command, id, async ({ world }, tx, found) =>
        switchLinkOn(world, tx, found, await lockTemplate(tx, found.template_id), actor),
      ),
    );

  link
    .command('off <id>')
    .description('switch a link off: it makes no further documents')
    .action((id: string, _options, command: Command) =>
      change(command, id, ({ world }, tx, found) => switchLinkOff(world, tx, found, actor)),
    );

  link
    .command('documents <id>')
    .description('list the documents that were made from a link, newest first')
    .action(async (id: string, _options, command: Command) => {
      const documents = await withDatabase(async ({ db }) => listAll(db, await findById(db, id)));
      answer(command, documents, (rows) => table(rows, 'no documents'));
    });

  link
    .command('remove <id>')
    .description('delete a link for good; its documents stay')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase((session) =>
        session.db.transaction(async (tx) => {
          const found = await lockById(tx, id);
          const view = await linkView(session, found, tx);
          await removeLink(session.world, tx, found, actor);
          return view;
        }),
      );
      answer(command, removed, () => 'removed\n');
    });
}

function addSettings(command: Command): Command {
  return command
    .option('--name <text>', 'what its page is called; empty: the title of the template')
    .option('--language <language>', 'of the page and the documents: en or es', oneOf('--language', ['en', 'es']))
    .option('--ends-at <time>', 'when it ends, such as 2030-01-31T12:00:00Z; never: it does not')
    .option('--max <number>', `the most documents, 1 to ${documentsMaxMax}; 100 for a new link`, maxOf)
    .option(
      '--one-per-email <on|off>',
      'one document for each e-mail address',
      oneOf('--one-per-email', ['on', 'off']),
    );
}

function maxOf(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= documentsMaxMax) return number;
  throw new UsageError(`--max must be a whole number from 1 to ${documentsMaxMax}`);
}

const faults = {
  name: '--name must be one line of at most 200 characters that can be seen',
  ends_at: '--ends-at must be a time such as 2030-01-31T12:00:00Z, or never',
};

function settingsOf(options: LinkOptions, otherwise: LinkSettings): LinkSettings {
  const { name, language, endsAt, max, onePerEmail } = options;
  const typed: TypedSettings = {
    name,
    language,
    ends_at: endsAt === 'never' ? null : endsAt,
    documents_max: max,
    one_per_email: onePerEmail && onePerEmail === 'on',
  };
  const read = readSettings(typed, otherwise);
  if (!read.ok) throw new UsageError(faults[read.fault]);
  return read.settings;
}

async function show(command: Command, find: (session: Session) => Promise<PublicLink>): Promise<void> {
  answer(command, await withDatabase(async (session) => linkView(session, await find(session))), card);
}

function change(
  command: Command,
  id: string,
  apply: (session: Session, tx: Tx, link: PublicLink) => Promise<PublicLink>,
): Promise<void> {
  return show(command, (session) =>
    session.db.transaction(async (tx) => {
      const found = await lockById(tx, id);
      await findActiveCompany(tx, found.account_id);
      return apply(session, tx, found);
    }),
  );
}

function findById(db: Queryable, id: string): Promise<PublicLink> {
  return byId('public link', id, () => findLink(db, id));
}

async function lockById(tx: Tx, id: string): Promise<PublicLink> {
  const { account_id } = await findById(tx, id);
  return byId('public link', id, () => lockLink(tx, account_id, id));
}

async function findTemplate(db: Queryable, id: string) {
  const found = await findDocument(db, id);
  return found?.is_template ? found : null;
}

async function linkView({ config, world, db }: Session, link: PublicLink, reader: Queryable = db) {
  const { obstacle } = await readTemplate(reader, link);
  const origin = await pagesOrigin(config);
  const { account_id, token: _, actor: actsFor, ...shown } = link;
  return {
    ...shown,
    url: linkAddress(await linkOrigin(reader, account_id, { origin, publicUrl: config.publicUrl }), link),
    availability: availabilityOf(link, obstacle, world.clock.now()),
    obstacle,
    acts_for: actsFor,
  };
}

function shortView({ id, availability, documents, documents_max, ends_at, url }: Awaited<ReturnType<typeof linkView>>) {
  return { id, availability, documents: `${documents}/${documents_max}`, ends_at, url };
}

const pageSize = 500;

async function listAll(db: Queryable, link: PublicLink) {
  const rows = [];
  for (let afterId: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof listLinkDocuments>> = await listLinkDocuments(db, link, {
      readerId: null,
      afterId,
      limit: pageSize,
    });
    rows.push(...page.map(({ id, status, sent_at, title }) => ({ id, status, sent_at, title })));
    if (page.length < pageSize) return rows;
    afterId = page.at(-1)?.id ?? null;
  }
}
