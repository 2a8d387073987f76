import { Type } from 'typebox';
import { isStorable } from '../../documents/field.ts';
import {
  listSavedViews,
  removeView,
  saveView,
  type ViewOwner,
  viewNameLengthMax,
  viewSearchLengthMax,
} from '../../documents/saved-views.ts';
import { Refusal } from '../../errors.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

const name = Type.String({ minLength: 1, maxLength: viewNameLengthMax * 2, pattern: '\\S' });
/** Only what an address can contain. */
const search = Type.String({ maxLength: viewSearchLengthMax, pattern: '^[!-~]*$' });

/** The caller's own views of the document list. Each answers with all of them, by name. */
export const viewEndpoints = [
  forMembers('GET /documents/views', 'member', {}, answerViews),
  forMembers('POST /documents/views', 'member', { body: Type.Object({ name, search }) }, save),
  forMembers('POST /documents/views/remove', 'member', { body: Type.Object({ name }) }, async (deps, call) => {
    await removeView(deps.db, ownerOf(call), readName(call.body.name));
    return answerViews(deps, call);
  }),
];

async function answerViews({ db }: Pick<ConsoleDeps, 'db'>, call: Pick<MemberCall, 'caller'>) {
  return { data: await listSavedViews(db, ownerOf(call)) };
}

/** Saves a view, and replaces one of the same name. Throws `refused` if there are too many. */
async function save({ db }: ConsoleDeps, call: MemberCall<{ name: string; search: string }>) {
  const view = { name: readName(call.body.name), search: call.body.search };
  try {
    await db.transaction((tx) => saveView(tx, ownerOf(call), view));
  } catch (error) {
    if (error instanceof Refusal) throw new ConsoleError('refused', { cause: error });
    throw error;
  }
  return answerViews({ db }, call);
}

function readName(text: string): string {
  const trimmed = text.trim();
  if (!isStorable(trimmed) || [...trimmed].length > viewNameLengthMax) {
    throw new ConsoleError('invalid_input', { param: 'name' });
  }
  return trimmed;
}

function ownerOf({ caller: { membership } }: Pick<MemberCall, 'caller'>): ViewOwner {
  return { accountId: membership.account_id, memberId: membership.member_id };
}
