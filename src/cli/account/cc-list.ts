import type { Command } from 'commander';
import {
  type CcList,
  type CcListInput,
  type CcPerson,
  ccPeopleMax,
  changeCcList,
  createCcList,
  deleteCcList,
  findCcListById,
  listCcLists,
  lockCcList,
  readCcList,
} from '../../accounts/cc-lists.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

const examples = `
Examples:
  countersign cc-list create Legal --account $ACCOUNT --person 'Ada Lovelace <ada@example.com>' --person ben@example.com
  countersign cc-list change $LIST --default on`;

const choices = ['on', 'off'] as const;
type Choice = (typeof choices)[number];

export function define(list: Command): void {
  list
    .command('create <name>')
    .description('create a list of people whom members can add to documents, to get a copy')
    .requiredOption('--account <id>', 'the company')
    .requiredOption('--person <person>', 'a name and an e-mail address, or an address; repeat it for more', withPerson)
    .option('--default', 'add its people to every new document in the console')
    .addHelpText('after', examples)
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { account, person: people, default: isDefault = false } = options;
      const input = readInput({ name, people, isDefault });
      const created = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const { id } = await findActiveCompany(tx, account);
          return byId('account', id, () => createCcList(world, tx, id, input, null));
        }),
      );
      show(command, created);
    });

  list
    .command('list')
    .description("list a company's cc lists by name, with their people")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const lists = await withDatabase(async ({ db }) => listCcLists(db, (await findCompany(db, account)).id));
      answer(command, lists, (rows) =>
        table(
          rows.map(({ id, is_default, people, name }) => ({ id, is_default, people: people.length, name })),
          'no cc lists',
        ),
      );
    });

  list
    .command('change <id>')
    .description('rename a cc list, replace its people, or make it a default')
    .option('--name <name>', 'the new name')
    .option('--person <person>', 'replaces all people; repeat it for more', withPerson)
    .option(
      '--default <choice>',
      'on: add its people to every new document in the console',
      oneOf('--default', choices),
    )
    .addHelpText('after', examples)
    .action(async (id: string, options: ChangeOptions, command: Command) => {
      const changed = await change(id, (world, tx, found) => {
        const { name = found.name, person: people = found.people } = options;
        const isDefault = options.default === undefined ? found.is_default : options.default === 'on';
        return changeCcList(world, tx, found, readInput({ name, people, isDefault }), null);
      });
      show(command, changed);
    });

  list
    .command('remove <id>')
    .description('delete a cc list; documents keep the recipients that it has added')
    .action(async (id: string, _options, command: Command) => {
      const removed = await change(id, async (world, tx, found) => {
        await deleteCcList(world, tx, found, null);
        return found;
      });
      show(command, removed);
    });
}

interface CreateOptions {
  account: string;
  person: CcPerson[];
  default?: boolean;
}

interface ChangeOptions {
  name?: string;
  person?: CcPerson[];
  default?: Choice;
}

/** Reads `Ada Lovelace <ada@example.com>`. Without a name, the address is the name. */
function withPerson(text: string, before: CcPerson[] = []): CcPerson[] {
  const [, name = '', address = text] = /^(.*)<([^<>]*)>\s*$/s.exec(text) ?? [];
  return [...before, { name: name.trim() || address.trim(), email: address }];
}

function readInput(input: { name: string; people: readonly CcPerson[]; isDefault: boolean }): CcListInput {
  const read = readCcList(input);
  if (!('fault' in read)) return read;
  if (read.fault === 'name') throw new UsageError('a name must be 1 to 80 visible characters');
  if (read.fault === 'people') throw new UsageError(`a cc list has 1 to ${ccPeopleMax} people`);
  throw new UsageError(`${read.fault} is wrong: write a person as "Ada Lovelace <ada@example.com>"`);
}

function show(command: Command, list: CcList): void {
  answer(command, { ...list }, ({ people, ...rest }) =>
    card({ ...rest, people: people.map(({ name, email }) => `${name} <${email}>`).join(', ') }),
  );
}

/** Locks a list by its id alone. Reads its account first, because every other query needs it. */
function change(id: string, apply: (world: World, tx: Tx, found: CcList) => Promise<CcList>): Promise<CcList> {
  return withDatabase(({ world, db }) =>
    db.transaction(async (tx) =>
      apply(
        world,
        tx,
        await byId('cc list', id, async () => {
          const found = await findCcListById(tx, id);
          return found && lockCcList(tx, found.account_id, found.id);
        }),
      ),
    ),
  );
}
