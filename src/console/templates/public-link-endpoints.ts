import { type Static, Type } from 'typebox';
import { listRecipientsOfDocuments } from '../../documents/queries.ts';
import { readSending } from '../../documents/read-sending.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { listLinkDocuments } from '../../public-link/link-documents.ts';
import { defaultSettings, documentsMaxMax, type LinkSettings, readSettings } from '../../public-link/link-settings.ts';
import {
  addLink,
  editLink,
  LinkRefusal,
  removeLink,
  switchLinkOff,
  switchLinkOn,
} from '../../public-link/manage-links.ts';
import { findLinkOfTemplate, listLinks, lockLink, type PublicLink } from '../../public-link/public-link.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readListPage } from '../core/open-list.ts';
import { assertStillMay } from '../core/still-may.ts';
import { actorOf } from '../documents/change-document.ts';
import { createOnce, withRequestId } from '../documents/create-once.ts';
import { documentSummary } from '../documents/document-views.ts';
import { findOwnTemplate, lockOwnTemplate } from './own-template.ts';
import { type PublicLinkView, viewLink } from './public-link-views.ts';

/** What is left out stays as it is. */
const settingsBody = Type.Object({
  /** Null: the title of the template. */
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  language: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('es')])),
  /** RFC 3339. Null: it does not end. */
  ends_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  documents_max: Type.Optional(Type.Integer({ minimum: 1, maximum: documentsMaxMax })),
  one_per_email: Type.Optional(Type.Boolean()),
});
type SettingsBody = Static<typeof settingsBody>;
const newLink = Type.Object({ ...settingsBody.properties, ...withRequestId.properties });

/** Public links of a template: anyone who opens one gets a document of their own. */
export const publicLinkEndpoints = [
  forMembers('GET /templates/:id/links', 'member', {}, listPage),
  forMembers('POST /templates/:id/links', 'member', { body: newLink }, create),
  forMembers('GET /templates/:id/links/:link', 'member', {}, async (deps, call) =>
    viewLink(deps, deps.db, await findOwn(deps.db, call)),
  ),
  forMembers('POST /templates/:id/links/:link', 'member', { body: settingsBody }, (deps, call) =>
    change(deps, call, (tx, link) => editLink(deps.world, tx, link, actorOf(call), settingsOf(call.body, link))),
  ),
  forMembers('POST /templates/:id/links/:link/on', 'member', {}, (deps, call) =>
    change(deps, call, async (tx, link) =>
      switchLinkOn(deps.world, tx, link, await lockOwnTemplate(tx, call), actorOf(call)),
    ),
  ),
  forMembers('POST /templates/:id/links/:link/off', 'member', {}, (deps, call) =>
    change(deps, call, (tx, link) => switchLinkOff(deps.world, tx, link, actorOf(call))),
  ),
  forMembers('DELETE /templates/:id/links/:link', 'member', {}, ({ world, db }, call) =>
    db.transaction(async (tx) => removeLink(world, tx, await lockOwn(tx, call), actorOf(call))),
  ),
  forMembers('GET /templates/:id/links/:link/documents', 'member', {}, listDocuments),
];

/** Lists the links of a template, newest first. */
async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const template = await findOwnTemplate(deps.db, call);
  const views = new Map<string, PublicLinkView>();
  return readListPage(
    deps,
    call,
    `public links ${template.id}`,
    async (page) => {
      const links = await listLinks(deps.db, template, page);
      for (const link of links) views.set(link.id, await viewLink(deps, deps.db, link));
      return links;
    },
    ({ id }) => views.get(id) as PublicLinkView,
  );
}

/** Makes a link. Throws the codes of `LinkRefusal`. */
async function create(deps: ConsoleDeps, call: MemberCall<Static<typeof newLink>>) {
  const { id: link } = await refusing(() =>
    createOnce(deps, call, `/templates/${call.params.id}/links`, async (tx) => {
      const template = await lockOwnTemplate(tx, call);
      const settings = settingsOf(call.body, defaultSettings(template.primary_language));
      return addLink(deps.world, tx, template, actorOf(call), settings);
    }),
  );
  return viewLink(deps, deps.db, await findOwn(deps.db, { ...call, params: { ...call.params, link } }));
}

/** Changes a link under its lock. Throws the codes of `LinkRefusal`. */
function change(
  deps: ConsoleDeps,
  call: MemberCall<unknown>,
  apply: (tx: Tx, link: PublicLink) => Promise<PublicLink>,
): Promise<PublicLinkView> {
  return refusing(() =>
    deps.db.transaction(async (tx) => viewLink(deps, tx, await apply(tx, await lockOwn(tx, call)))),
  );
}

/** Lists the documents that were made from a link, newest first. */
async function listDocuments(deps: ConsoleDeps, call: MemberCall) {
  const { db } = deps;
  const link = await findOwn(db, call);
  return readListPage(
    deps,
    call,
    `documents of ${link.id}`,
    async ({ accountId, afterId, limit }) => {
      const rows = await listLinkDocuments(db, link, { readerId: readerOf(call), afterId, limit });
      const ids = rows.map(({ id }) => id);
      const [all, sending] = await Promise.all([
        listRecipientsOfDocuments(db, accountId, ids),
        readSending(db, accountId, ids),
      ]);
      const recipients = Map.groupBy(all, ({ document_id }) => document_id);
      return rows.map((row) => documentSummary(row, recipients.get(row.id) ?? [], sending.get(row.id)));
    },
    (summary) => summary,
  );
}

function settingsOf(body: SettingsBody, otherwise: LinkSettings): LinkSettings {
  const read = readSettings(body, otherwise);
  if (!read.ok) throw new ConsoleError('invalid_input', { param: read.fault });
  return read.settings;
}

/** Finds the link of the path's `:link`, also after its template was deleted. Throws `not_found`. */
async function findOwn(db: Queryable, call: MemberCall<unknown>): Promise<PublicLink> {
  const template = await findOwnTemplate(db, call);
  const { link: id = '' } = call.params;
  const link = isUuid(id) ? await findLinkOfTemplate(db, template, id) : null;
  if (link === null) throw new ConsoleError('not_found');
  return link;
}

/** Locks the link, before its template. Throws `not_found`, and `forbidden` if the caller lost the session or the role. */
async function lockOwn(tx: Tx, call: MemberCall<unknown>): Promise<PublicLink> {
  const { account_id, id } = await findOwn(tx, call);
  const link = await lockLink(tx, account_id, id);
  if (link === null) throw new ConsoleError('not_found');
  await assertStillMay(tx, call);
  return link;
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LinkRefusal) throw new ConsoleError(error.code, { cause: error });
    throw error;
  }
}
