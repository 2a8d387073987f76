import { type Static, Type } from 'typebox';
import { folderRoles } from '../../accounts/document-access.ts';
import { pageFolderMembers, removeFolderMember, setFolderMember } from '../../accounts/folder-members.ts';
import {
  createFolder,
  deleteFolder,
  type Folder,
  FolderRefusal,
  findFolder,
  folderNameLengthMax,
  listFolders,
  lockFolder,
  openFolder,
  readFolderName,
  renameFolder,
  type SeenFolder,
} from '../../accounts/folders.ts';
import { lockMembers } from '../../accounts/members.ts';
import { Refusal } from '../../errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tx } from '../../postgres/database.ts';
import { readerOf } from '../core/authorise.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { readListPage } from '../core/open-list.ts';
import { assertStillMay } from '../core/still-may.ts';

const name = Type.String({ minLength: 1, maxLength: folderNameLengthMax * 4 });
const newFolder = Type.Object({ name, is_open: Type.Boolean() });
const membership = Type.Object({ member_id: Type.String({ maxLength: 36 }), role: Type.Enum([...folderRoles]) });

/** Folders and their members. Giving access to documents takes a recent sign-in. */
export const folderEndpoints = [
  forMembers('GET /folders', 'member', {}, async ({ db }, call) => {
    return { data: (await listFolders(db, call.caller.membership.account_id, readerOf(call))).map(folderJson) };
  }),
  forMembers('POST /folders', 'admin', { body: newFolder }, create),
  forMembers('POST /folders/:id/name', 'admin', { body: Type.Object({ name }) }, (deps, call) =>
    change(deps, call, (tx, folder) =>
      renameFolder(deps.world, tx, folder, readName(call.body.name), call.caller.person.id),
    ),
  ),
  forMembers(
    'POST /folders/:id/open',
    'admin',
    { body: Type.Object({ is_open: Type.Boolean() }), needsFreshSignIn: true },
    (deps, call) =>
      change(deps, call, (tx, folder) => openFolder(deps.world, tx, folder, call.body.is_open, call.caller.person.id)),
  ),
  forMembers('DELETE /folders/:id', 'admin', {}, remove),
  forMembers('GET /folders/:id/members', 'admin', {}, listMembers),
  forMembers('POST /folders/:id/members', 'admin', { body: membership, needsFreshSignIn: true }, setMember),
  forMembers('DELETE /folders/:id/members/:member', 'admin', {}, removeMember),
];

/** Creates a folder without members. Throws `folder_exists` and `too_many_folders`. */
function create({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof newFolder>>) {
  const { caller, body } = call;
  return refusing(() =>
    db.transaction(async (tx) => {
      const input = { ...readName(body.name), isOpen: body.is_open };
      const folder = await createFolder(world, tx, caller.membership.account_id, input, caller.person.id);
      await assertStillMay(tx, call);
      if (folder === null) throw new ConsoleError('forbidden');
      return folderJson({ ...folder, role: 'editor' });
    }),
  );
}

/** Changes a folder under its lock. Throws `folder_exists`. */
function change({ db }: ConsoleDeps, call: MemberCall<unknown>, apply: (tx: Tx, folder: Folder) => Promise<Folder>) {
  return refusing(() =>
    db.transaction(async (tx) => folderJson({ ...(await apply(tx, await lockOwn(tx, call))), role: 'editor' })),
  );
}

/** Deletes a folder. Throws `folder_not_empty` while it has documents or templates. */
function remove({ world, db }: ConsoleDeps, call: MemberCall) {
  return refusing(() =>
    db.transaction(async (tx) => deleteFolder(world, tx, await lockOwn(tx, call), call.caller.person.id)),
  );
}

/** Lists the members of a folder, in the order of joining the company. */
async function listMembers(deps: ConsoleDeps, call: MemberCall) {
  const { id = '' } = call.params;
  const folder = isUuid(id) ? await findFolder(deps.db, call.caller.membership.account_id, id) : null;
  if (folder === null) throw new ConsoleError('not_found');
  return readListPage(
    deps,
    call,
    `members of folder ${folder.id}`,
    ({ afterId, limit }) => pageFolderMembers(deps.db, folder, afterId, limit),
    (member) => member,
  );
}

/** Adds a member to a folder or changes their role in it. Throws `refused` for owners and admins. */
async function setMember({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof membership>>) {
  const { caller, body } = call;
  try {
    return await db.transaction(async (tx) => {
      const members = await lockMembers(tx, caller.membership.account_id);
      const folder = await lockOwn(tx, call);
      const member = members.find(({ id }) => id === body.member_id.toLowerCase());
      if (member === undefined) throw new ConsoleError('not_found');
      return setFolderMember(world, tx, folder, member, body.role, caller.person.id);
    });
  } catch (error) {
    if (error instanceof Refusal) throw new ConsoleError('refused', { cause: error });
    throw error;
  }
}

function removeMember({ world, db }: ConsoleDeps, call: MemberCall) {
  const { member = '' } = call.params;
  return db.transaction(async (tx) => {
    const folder = await lockOwn(tx, call);
    const removed = isUuid(member) ? await removeFolderMember(world, tx, folder, member, call.caller.person.id) : null;
    if (removed === null) throw new ConsoleError('not_found');
    return removed;
  });
}

/** Locks the folder of the path's `:id`. Throws `not_found`, and `forbidden` if the caller lost the session or the role. */
async function lockOwn(tx: Tx, call: MemberCall<unknown>): Promise<Folder> {
  const { id = '' } = call.params;
  const folder = isUuid(id) ? await lockFolder(tx, call.caller.membership.account_id, id) : null;
  if (folder === null) throw new ConsoleError('not_found');
  await assertStillMay(tx, call);
  return folder;
}

function readName(text: string): { name: string; key: string } {
  const read = readFolderName(text);
  if (read === null) throw new ConsoleError('invalid_input', { param: 'name' });
  return read;
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderRefusal) throw new ConsoleError(error.code, { cause: error });
    throw error;
  }
}

/** `can_edit`: whether the caller may add and move documents there. */
function folderJson({ id, name, is_open, role, created_at }: SeenFolder) {
  return { id, name, is_open, can_edit: role === 'editor', created_at };
}
