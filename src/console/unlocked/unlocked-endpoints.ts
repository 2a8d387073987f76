import { type Static, Type } from 'typebox';
import { type AccountAction, auditAccount } from '../../accounts/account-audit.ts';
import type { Document } from '../../documents/document.ts';
import { savedAs } from '../../http/saved-as.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { changePages, PageChangedMeanwhile, TextTooLarge } from '../../unlock/text/change-pages.ts';
import { blocksPerPageMax, cellsMax, countCells, editedBlock, tidyBlocks } from '../../unlock/text/edited-block.ts';
import { exportFormats, exportStream } from '../../unlock/text/export/export-pages.ts';
import { findUnlocked, lockUnlocked, type Unlocked } from '../../unlock/text/find-unlocked.ts';
import { baseOf, listChangedPages, readText, readTextPage } from '../../unlock/text/read-text.ts';
import { revertPages } from '../../unlock/text/revert-pages.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';
import { readPageNumber, showPicture } from '../documents/document-file-endpoints.ts';
import { findOwnDocument } from '../documents/own-document.ts';

const version = Type.Integer({ minimum: 0 });
const page = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const pagesAtOnceMax = 20;
const saveId = Type.String({ pattern: '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' });
const change = Type.Object({
  /** See `Save`. */
  save: Type.Optional(saveId),
  unanswered: Type.Optional(Type.Array(saveId, { maxItems: 1000 })),
  pages: Type.Array(
    Type.Object({
      page,
      version,
      base: Type.String({ maxLength: 16 }),
      blocks: Type.Array(editedBlock, { maxItems: blocksPerPageMax }),
    }),
    { minItems: 1, maxItems: pagesAtOnceMax },
  ),
});
/** `version`: of the text that the caller has seen. Without a page, all pages are meant. */
const revert = Type.Object({ page: Type.Optional(page), version });

/** The text of an unlocked document: reading, editing by page, exporting and reverting. */
export const unlockedEndpoints = [
  forMembers('GET /documents/:id/unlocked', 'member', {}, async ({ db }, call) => {
    const { unlocked, document } = await findText(db, call);
    return viewText(db, document, unlocked);
  }),
  forMembers('GET /documents/:id/unlocked/pages/:page', 'member', {}, showPage),
  forMembers('GET /documents/:id/unlocked/pages/:page/picture', 'member', {}, async ({ db, pages }, call) => {
    const { unlocked, page } = await findTextPage(db, call);
    const file = { sha256: unlocked.source_sha256.toString('hex'), accountId: call.caller.membership.account_id };
    return showPicture(pages, file, page, call.query);
  }),
  forMembers('POST /documents/:id/unlocked', 'member', { body: change }, save),
  forMembers('POST /documents/:id/unlocked/revert', 'member', { body: revert }, takeBack),
  forMembers('GET /documents/:id/unlocked/export', 'member', {}, download),
];

async function viewText(db: Queryable, { title, status }: Document, unlocked: Unlocked) {
  const { pages, version, rendered_version, rendered_pages, rendered_bytes } = unlocked;
  return {
    title,
    status,
    pages,
    version,
    changed_pages: await listChangedPages(db, unlocked),
    /** The last PDF created from it. It is of an older version if the text has changed since. */
    rendered:
      rendered_version === null ? null : { version: rendered_version, pages: rendered_pages, bytes: rendered_bytes },
  };
}

export type TextView = Awaited<ReturnType<typeof viewText>>;

async function showPage({ db, files }: ConsoleDeps, call: MemberCall) {
  const { unlocked, page } = await findTextPage(db, call);
  const found = await readTextPage(db, files, unlocked, page);
  if (found === null) throw new ConsoleError('not_found');
  return found;
}

/** Changes pages. Answers with the new version of the document and its pages. */
async function save({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof change>>) {
  const { pages, save: id = null, unanswered = [] } = call.body;
  if (new Set(pages.map(({ page }) => page)).size < pages.length) {
    throw new ConsoleError('invalid_input', { param: 'pages' });
  }
  if (countCells(pages.flatMap(({ blocks }) => blocks)) > cellsMax) throw new ConsoleError('text_too_large');
  return db.transaction(async (tx) => {
    const unlocked = await lockText(tx, call);
    const isOfThisText = pages.every(({ page, base }) => page <= unlocked.pages && base === baseOf(unlocked));
    if (!isOfThisText) throw new ConsoleError('not_found');
    const changes = pages.map(({ page, version, blocks }) => ({ page, version, blocks: tidyBlocks(blocks) }));
    try {
      const { version, toAudit } = await changePages(world, tx, unlocked, call.caller.person.id, changes, {
        id,
        unanswered,
      });
      if (toAudit.length > 0) await audit({ world }, tx, call, unlocked, 'unlocked_text_changed', toAudit);
      return { version };
    } catch (error) {
      if (error instanceof PageChangedMeanwhile) {
        throw new ConsoleError('changed_meanwhile', { cause: error, param: String(error.page) });
      }
      if (error instanceof TextTooLarge) throw new ConsoleError('text_too_large', { cause: error });
      throw error;
    }
  });
}

async function takeBack({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof revert>>) {
  return db.transaction(async (tx) => {
    const unlocked = await lockText(tx, call);
    if (unlocked.version !== call.body.version) throw new ConsoleError('changed_meanwhile');
    const reverted = await revertPages(tx, unlocked, call.body.page ?? null);
    if (reverted.length > 0) await audit({ world }, tx, call, unlocked, 'unlocked_text_reverted', reverted);
    return { version: unlocked.version + 1, pages: reverted };
  });
}

function audit(
  { world }: Pick<ConsoleDeps, 'world'>,
  tx: Tx,
  { caller }: Pick<MemberCall, 'caller'>,
  { account_id: accountId, document_id }: Unlocked,
  action: AccountAction,
  pages: readonly number[],
): Promise<void> {
  return auditAccount(world, tx, { accountId, personId: caller.person.id, action, detail: { document_id, pages } });
}

/** Exports the text: `?format=md`. It is always a download, because it may contain HTML written by someone else. */
async function download({ db, files }: ConsoleDeps, call: MemberCall) {
  const { unlocked, document } = await findText(db, call);
  const format = exportFormats.find((name) => name === call.query.format);
  if (format === undefined) throw new ConsoleError('invalid_input', { param: 'format' });
  return new RawAnswer(exportStream(format, document.title, readText(db, files, unlocked)), {
    'content-type': 'application/octet-stream',
    'content-disposition': savedAs(document.title, format),
  });
}

/** Finds an unlocked document. Throws `not_found`, also if the document is not unlocked. */
export async function findText(db: Queryable, call: Pick<MemberCall, 'caller' | 'params' | 'isChange'>) {
  const document = await findOwnDocument(db, call);
  const unlocked = await findUnlocked(db, document.account_id, document.id);
  if (unlocked === null) throw new ConsoleError('not_found');
  return { document, unlocked };
}

async function findTextPage(db: Queryable, call: MemberCall) {
  const { unlocked } = await findText(db, call);
  return { unlocked, page: readPageNumber(call, unlocked.pages) };
}

async function lockText(tx: Tx, call: Pick<MemberCall, 'caller' | 'params' | 'isChange'>): Promise<Unlocked> {
  const { account_id, id } = await findOwnDocument(tx, call);
  const unlocked = await lockUnlocked(tx, account_id, id);
  if (unlocked === null) throw new ConsoleError('not_found');
  return unlocked;
}
