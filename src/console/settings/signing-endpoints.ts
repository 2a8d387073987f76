import { type Static, Type } from 'typebox';
import {
  isCopiesText,
  readSigningSettings,
  type SigningSettings,
  setSigningSettings,
} from '../../accounts/signing-settings.ts';
import { assertUnchanged } from '../core/assert-unchanged.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

/** Longer texts are refused by the rules of each property. */
const text = Type.String({ maxLength: 10_000 });

const switches = {
  asks_consent: Type.Boolean(),
  prints_document_id: Type.Boolean(),
  allows_delegation: Type.Boolean(),
  allows_comments: Type.Boolean(),
  masks_contacts: Type.Boolean(),
  shows_devices: Type.Boolean(),
};
const textOrNull = Type.Union([text, Type.Null()]);

const settingsBody = Type.Object({
  ...switches,
  /** An empty text means none, here and in the next property. */
  copies_contact: text,
  copies_cost: text,
  /** What the page showed. */
  shown: Type.Optional(Type.Object({ ...switches, copies_contact: textOrNull, copies_cost: textOrNull })),
});

/** What a company's recipients agree to before they sign, and what its sealed PDFs show. Throws `changed_meanwhile`. */
export const signingEndpoints = [
  forMembers('GET /signing', 'admin', {}, ({ db }, { caller }) =>
    readSigningSettings(db, caller.membership.account_id),
  ),
  forMembers('POST /signing', 'admin', { body: settingsBody }, saveSettings),
];

async function saveSettings(
  { world, db }: ConsoleDeps,
  { caller, body }: MemberCall<Static<typeof settingsBody>>,
): Promise<SigningSettings> {
  const chosen = {
    asks_consent: body.asks_consent,
    copies_contact: copiesText('copies_contact', body.copies_contact),
    copies_cost: copiesText('copies_cost', body.copies_cost),
    prints_document_id: body.prints_document_id,
    allows_delegation: body.allows_delegation,
    allows_comments: body.allows_comments,
    masks_contacts: body.masks_contacts,
    shows_devices: body.shows_devices,
  };
  const { account_id: accountId } = caller.membership;
  const saved = await db.transaction(async (tx) => {
    await assertUnchanged(tx, accountId, body.shown, readSigningSettings);
    return setSigningSettings(world, tx, accountId, chosen, caller.person.id);
  });
  if (saved === null) throw new ConsoleError('not_found');
  return saved;
}

function copiesText(param: string, given: string): string | null {
  const trimmed = given.trim();
  if (trimmed === '') return null;
  if (!isCopiesText(trimmed)) throw new ConsoleError('invalid_input', { param });
  return trimmed;
}
