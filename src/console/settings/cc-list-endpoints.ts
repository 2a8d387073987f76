import { type Static, Type } from 'typebox';
import {
  type CcList,
  type CcListInput,
  CcListRefusal,
  ccPersonNameLengthMax,
  changeCcList,
  createCcList,
  deleteCcList,
  listCcLists,
  lockCcList,
  readCcList,
} from '../../accounts/cc-lists.ts';
import { folderNameLengthMax } from '../../accounts/folders.ts';
import { emailLengthMax } from '../../platform/email-address.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tx } from '../../postgres/database.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { assertStillMay } from '../core/still-may.ts';

/** Longer texts are refused before they are read. White space around them is not counted in the end. */
const generous = 4;
const content = {
  name: Type.String({ maxLength: folderNameLengthMax * generous }),
  is_default: Type.Boolean(),
  people: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: ccPersonNameLengthMax * generous }),
      email: Type.String({ maxLength: emailLengthMax * generous }),
    }),
    { maxItems: 1000 },
  ),
};
const newList = Type.Object(content);
const changedList = Type.Object({ ...content, version: Type.Integer({ minimum: 1 }) });

/** Lists of people who get copies. Adding someone to a list may send them every later document, so it takes a recent sign-in. */
export const ccListEndpoints = [
  forMembers('GET /cc-lists', 'member', {}, async ({ db }, { caller }) => ({
    data: (await listCcLists(db, caller.membership.account_id)).map(listJson),
  })),
  forMembers('POST /cc-lists', 'admin', { body: newList, needsFreshSignIn: true }, create),
  forMembers('POST /cc-lists/:id', 'admin', { body: changedList, needsFreshSignIn: true }, change),
  forMembers('DELETE /cc-lists/:id', 'admin', {}, remove),
];

/** Throws `cc_list_exists` and `too_many_cc_lists`. */
function create({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof newList>>) {
  const { caller, body } = call;
  const input = readInput(body);
  return refusing(() =>
    db.transaction(async (tx) => {
      const list = await createCcList(world, tx, caller.membership.account_id, input, caller.person.id);
      await assertStillMay(tx, call);
      if (list === null) throw new ConsoleError('forbidden');
      return listJson(list);
    }),
  );
}

/** Throws `changed_meanwhile` if the list has another version, and `cc_list_exists`. */
function change({ world, db }: ConsoleDeps, call: MemberCall<Static<typeof changedList>>) {
  const input = readInput(call.body);
  return refusing(() =>
    db.transaction(async (tx) => {
      const list = await lockOwn(tx, call);
      if (list.version !== call.body.version) throw new ConsoleError('changed_meanwhile');
      return listJson(await changeCcList(world, tx, list, input, call.caller.person.id));
    }),
  );
}

function remove({ world, db }: ConsoleDeps, call: MemberCall) {
  return db.transaction(async (tx) => deleteCcList(world, tx, await lockOwn(tx, call), call.caller.person.id));
}

/** Locks the list of the path's `:id`. Throws `not_found`, and `forbidden` if the caller lost the session or the role. */
async function lockOwn(tx: Tx, call: MemberCall<unknown>): Promise<CcList> {
  const { id = '' } = call.params;
  const list = isUuid(id) ? await lockCcList(tx, call.caller.membership.account_id, id) : null;
  if (list === null) throw new ConsoleError('not_found');
  await assertStillMay(tx, call);
  return list;
}

function readInput({ name, is_default, people }: Static<typeof newList>): CcListInput {
  const read = readCcList({ name, isDefault: is_default, people });
  if ('fault' in read) throw new ConsoleError('invalid_input', { param: read.fault });
  return read;
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CcListRefusal) throw new ConsoleError(error.code, { cause: error });
    throw error;
  }
}

function listJson({ id, name, is_default, version, people, created_at }: CcList) {
  return { id, name, is_default, version, people, created_at };
}
