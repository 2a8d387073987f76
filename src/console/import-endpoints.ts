import { type Static, Type } from 'typebox';
import { startMigration } from '../imports/esign/start-migration.ts';
import { findShownImport, isShownOutcome, pageImports, pageItems, type ShownImport } from '../imports/shown-imports.ts';
import { readMigration } from '../imports/start-import-body.ts';
import type { Queryable } from '../postgres/database.ts';
import { isUuid } from '../world/ids.ts';
import { isAtLeast } from './authorise.ts';
import { type ConsoleEndpoint, type ConsoleMeans, forMembers, type MemberCall } from './console-endpoint.ts';
import { ConsoleError } from './console-error.ts';
import { importView, itemView } from './import-views.ts';
import { readListPage } from './read-list-page.ts';

/** An instant as in POST /imports of the API; what is left out is everything, and unlocked. */
const migration = Type.Object({
  earliest: Type.Optional(Type.String({ maxLength: 50 })),
  unlock_doc: Type.Optional(Type.Boolean()),
});

/** What came in, and bringing over what lies with the e-signature vendor. */
export const importEndpoints: ConsoleEndpoint[] = [
  forMembers('GET /imports', 'member', {}, (means, call) =>
    readListPage(means, call, 'console imports', (page) => pageImports(means.db, page.accountId, page), importView),
  ),
  forMembers('POST /imports', 'admin', { body: migration }, migrate),
  forMembers('GET /imports/:id', 'member', {}, async ({ db }, call) => importView(await findOwnImport(db, call))),
  forMembers('GET /imports/:id/items', 'member', {}, listItems),
];

/** Throws `invalid_earliest`, `esign_not_connected` and `import_already_running`. */
async function migrate({ world, db }: ConsoleMeans, { caller, body }: MemberCall<Static<typeof migration>>) {
  const accountId = caller.membership.account_id;
  const starter = { accountId, personId: caller.person.id };
  const wish = readMigration(body);
  return db.transaction(async (tx) => {
    const { id } = await startMigration({ world }, tx, starter, wish);
    return { id };
  });
}

/** `status`: of those that were `filed`, that `failed` or that are `open` alone. */
async function listItems(means: ConsoleMeans, call: MemberCall) {
  const { status: which = 'all' } = call.query;
  if (!isShownOutcome(which)) throw new ConsoleError('invalid_input', { param: 'status' });
  const found = await findOwnImport(means.db, call);
  const isAdmin = isAtLeast(call.caller.membership.role, 'admin');
  return readListPage(
    means,
    call,
    `console import ${found.id} ${which}`,
    (page) => pageItems(means.db, found, which, page),
    (item) => itemView(item, isAdmin),
  );
}

/** Another company's is not found. */
async function findOwnImport(db: Queryable, { caller, params: { id = '' } }: MemberCall): Promise<ShownImport> {
  const found = isUuid(id) ? await findShownImport(db, caller.membership.account_id, id) : null;
  if (found === null) throw new ConsoleError('not_found');
  return found;
}
