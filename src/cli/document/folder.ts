import type { Command } from 'commander';
import { type FolderRole, folderRoles } from '../../accounts/document-access.ts';
import {
  type FolderMember,
  pageFolderMembers,
  removeFolderMember,
  setFolderMember,
} from '../../accounts/folder-members.ts';
import {
  createFolder,
  deleteFolder,
  type Folder,
  findFolderById,
  folderNameLengthMax,
  listFolders,
  lockFolder,
  openFolder,
  readFolderName,
  renameFolder,
} from '../../accounts/folders.ts';
import { lockMembers } from '../../accounts/members.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { findActiveCompany, findCompany } from '../account/find-company.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';

export function define(folder: Command): void {
  folder
    .command('create <name>')
    .description('create a folder that only owners, admins and its members see')
    .requiredOption('--account <id>', 'the company')
    .option('--open', 'let every member of the company see and edit what is in it')
    .action(async (text: string, { account, open = false }: { account: string; open?: boolean }, command: Command) => {
      const name = nameOf(text);
      const created = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const { id } = await findActiveCompany(tx, account);
          return byId('account', id, () => createFolder(world, tx, id, { ...name, isOpen: open }, null));
        }),
      );
      answer(command, { ...created }, card);
    });

  folder
    .command('list')
    .description("list a company's folders by name")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const folders = await withDatabase(async ({ db }) => {
        const { id } = await findCompany(db, account);
        return (await listFolders(db, id, null)).map(({ role: _all, ...found }) => found);
      });
      answer(command, folders, (rows) =>
        table(
          rows.map(({ id, is_open, created_at, name }) => ({ id, is_open, created_at, name })),
          'no folders',
        ),
      );
    });

  folder
    .command('rename <id> <name>')
    .description('rename a folder')
    .action(async (id: string, text: string, _options, command: Command) => {
      const name = nameOf(text);
      await change(command, id, (world, tx, found) => renameFolder(world, tx, found, name, null));
    });

  folder
    .command('open <id>')
    .description('let every member of the company see and edit what is in a folder')
    .action((id: string, _options, command: Command) =>
      change(command, id, (world, tx, found) => openFolder(world, tx, found, true, null)),
    );

  folder
    .command('close <id>')
    .description('limit a folder to its members, owners and admins')
    .action((id: string, _options, command: Command) =>
      change(command, id, (world, tx, found) => openFolder(world, tx, found, false, null)),
    );

  folder
    .command('remove <id>')
    .description('delete an empty folder')
    .action((id: string, _options, command: Command) =>
      change(command, id, async (world, tx, found) => {
        await deleteFolder(world, tx, found, null);
        return found;
      }),
    );

  folder
    .command('members <id>')
    .description('list the members of a folder')
    .action(async (id: string, _options, command: Command) => {
      const members = await withDatabase(async ({ db }) =>
        listMembers(db, await byId('folder', id, () => findFolderById(db, id))),
      );
      answer(command, members, (rows) =>
        table(
          rows.map(({ id, role, email }) => ({ id, role, email })),
          'no members',
        ),
      );
    });

  folder
    .command('set-member <id> <member-id>')
    .description('add a member of the company to a folder, or change what they may do in it')
    .requiredOption('--role <role>', `one of ${folderRoles.join(', ')}`, oneOf('--role', folderRoles))
    .action(async (id: string, memberId: string, { role }: { role: FolderRole }, command: Command) => {
      const set = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const { account_id: accountId } = await byId('folder', id, () => findFolderById(tx, id));
          const members = await lockMembers(tx, accountId);
          const found = await byId('folder', id, () => lockFolder(tx, accountId, id));
          const wanted = memberId.toLowerCase();
          const member = await byId('member', memberId, async () => members.find((one) => one.id === wanted) ?? null);
          return setFolderMember(world, tx, found, member, role, null);
        }),
      );
      answer(command, { ...set }, card);
    });

  folder
    .command('remove-member <id> <member-id>')
    .description('remove a member from a folder; they stay in the company')
    .action(async (id: string, memberId: string, _options, command: Command) => {
      const removed = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const found = await lockById(tx, id);
          return byId('member', memberId, () => removeFolderMember(world, tx, found, memberId, null));
        }),
      );
      answer(command, { ...removed }, card);
    });
}

function nameOf(text: string): { name: string; key: string } {
  const name = readFolderName(text);
  if (name === null) throw new UsageError(`a name must be 1 to ${folderNameLengthMax} visible characters`);
  return name;
}

async function change(
  command: Command,
  id: string,
  apply: (world: World, tx: Tx, found: Folder) => Promise<Folder>,
): Promise<void> {
  const changed = await withDatabase(({ world, db }) =>
    db.transaction(async (tx) => apply(world, tx, await lockById(tx, id))),
  );
  answer(command, { ...changed }, card);
}

/** Locks a folder by its id alone. Reads its account first, because every other query needs it. */
function lockById(tx: Tx, id: string): Promise<Folder> {
  return byId('folder', id, async () => {
    const found = await findFolderById(tx, id);
    return found && lockFolder(tx, found.account_id, found.id);
  });
}

const pageSize = 500;

async function listMembers(db: Queryable, folder: Folder): Promise<FolderMember[]> {
  const found: FolderMember[] = [];
  for (;;) {
    const page = await pageFolderMembers(db, folder, found.at(-1)?.id ?? null, pageSize);
    found.push(...page);
    if (page.length < pageSize) return found;
  }
}
