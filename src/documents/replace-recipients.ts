import type { Tx } from '../postgres/database.ts';
import type { Document } from './document.ts';
import type { NewRecipient } from './new-recipient.ts';
import { recipientKind } from './recipient.ts';

/** A party as it is to be; those of a draft are known by their ids, so that their fields stay theirs. */
export interface EditedRecipient extends NewRecipient {
  id: string;
}

/** Fields of those who are gone or only get a copy, and an approver's signature. Returns how many. */
export async function removeFields(tx: Tx, document: Document, parties: readonly EditedRecipient[]): Promise<number> {
  const ofKind = (kind: string) => parties.filter((party) => recipientKind(party) === kind).map(({ id }) => id);
  const removed = await tx.query({
    name: 'remove_fields_of_parties',
    text: `delete from document_fields
           where account_id = $1 and document_id = $2 and not recipient_id = any ($3::uuid[])
             and not (recipient_id = any ($4::uuid[]) and type not in ('signature', 'initials'))
           returning 1`,
    values: [document.account_id, document.id, ofKind('signer'), ofKind('approver')],
  });
  return removed.length;
}

/** Above every place there is, so that no two stand at the same one while they change. */
const placesMax = 1000;

/** In one pipeline. Nobody was asked yet: there are no links, codes or messages that would have to end. */
export function replaceRecipients(tx: Tx, document: Document, parties: readonly EditedRecipient[]): Promise<unknown>[] {
  return [
    tx.query({
      name: 'remove_recipients',
      text: 'delete from recipients where account_id = $1 and document_id = $2 and not id = any ($3::uuid[])',
      values: [document.account_id, document.id, parties.map(({ id }) => id)],
    }),
    tx.query({
      name: 'make_room_for_recipients',
      text: `update recipients set position = position + ${placesMax} where account_id = $1 and document_id = $2`,
      values: [document.account_id, document.id],
    }),
    tx.query({
      name: 'edit_recipients',
      text: `insert into recipients (id, account_id, document_id, position, display_name, email, phone, party_role, channel,
               sign_order, auth_level, status)
             select r.id, $1, $2, r.place - 1, r.display_name, r.email, r.phone, r.party_role, r.channel, r.sign_order,
               r.auth_level, 'pending'
             from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::text[])
               with ordinality as r (id, display_name, email, phone, party_role, channel, sign_order, auth_level, place)
             on conflict (id) do update set position = excluded.position, display_name = excluded.display_name,
               email = excluded.email, phone = excluded.phone, party_role = excluded.party_role, channel = excluded.channel,
               sign_order = excluded.sign_order, auth_level = excluded.auth_level`,
      values: [
        document.account_id,
        document.id,
        parties.map(({ id }) => id),
        parties.map(({ display_name }) => display_name),
        parties.map(({ email }) => email),
        parties.map(({ phone }) => phone),
        parties.map(({ party_role }) => party_role),
        parties.map(({ channel }) => channel),
        parties.map(({ sign_order }) => sign_order),
        parties.map(({ auth_level }) => auth_level),
      ],
    }),
  ];
}
