import { type Static, Type } from 'typebox';
import { startVendorImport } from '../../imports/esign/start-vendor-import.ts';
import {
  findShownImport,
  isShownOutcome,
  pageImports,
  pageItems,
  type ShownImport,
} from '../../imports/shown-imports.ts';
import { readVendorImport } from '../../imports/start-import-body.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readListPage } from '../core/open-list.ts';
import { importView, itemView } from './import-views.ts';

/** Fields as in `POST /imports` of the API. Defaults: import everything and unlock it. */
const migration = Type.Object({
  earliest: Type.Optional(Type.String({ maxLength: 50 })),
  unlock_doc: Type.Optional(Type.Boolean()),
});

/** Imports, and starting an import from the e-signature vendor. */
export const importEndpoints = [
  forMembers('GET /imports', 'member', {}, (deps, call) =>
    readListPage(deps, call, 'console imports', (page) => pageImports(deps.db, page.accountId, page), importView),
  ),
  forMembers('POST /imports', 'admin', { body: migration }, migrate),
  forMembers('GET /imports/:id', 'member', {}, async ({ db }, call) => importView(await findOwnImport(db, call))),
  forMembers('GET /imports/:id/items', 'member', {}, listItems),
];

/** Starts a vendor import. Throws `invalid_earliest`, `esign_not_connected` or `import_already_running`. */
async function migrate({ world, db }: ConsoleDeps, { caller, body }: MemberCall<Static<typeof migration>>) {
  const accountId = caller.membership.account_id;
  const starter = { accountId, personId: caller.person.id };
  const input = readVendorImport(body);
  return db.transaction(async (tx) => {
    const { id } = await startVendorImport({ world }, tx, starter, input);
    return { id };
  });
}

/** Lists the items of an import. `status`: `filed`, `failed` or `open`. */
async function listItems(deps: ConsoleDeps, call: MemberCall) {
  const { status: which = 'all' } = call.query;
  if (!isShownOutcome(which)) throw new ConsoleError('invalid_input', { param: 'status' });
  const found = await findOwnImport(deps.db, call);
  return readListPage(
    deps,
    call,
    `console import ${found.id} ${which}`,
    (page) => pageItems(deps.db, found, which, readerOf(call), page),
    itemView,
  );
}

/** Finds an import of the caller's company. Throws `not_found`. */
async function findOwnImport(db: Queryable, { caller, params: { id = '' } }: MemberCall): Promise<ShownImport> {
  const found = isUuid(id) ? await findShownImport(db, caller.membership.account_id, id) : null;
  if (found === null) throw new ConsoleError('not_found');
  return found;
}
