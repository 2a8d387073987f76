import { isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { allowErasing } from './allow-erasing.ts';
import { endExports } from './end-exports.ts';
import { eraseMemberFromMessages } from './erase-from-messages.ts';

/** Tables of what a person signs in with, each after those that refer to it. */
const tables = [
  'sign_in_links',
  'passkey_challenges',
  'passkeys',
  'recovery_codes',
  'known_browsers',
  'sessions',
  'sso_identities',
] as const;

/**
 * Erases someone who signs in: their memberships, address, password and keys, and the details of what they did in the console.
 * The person stays as an id, because audit trails name it. Their address becomes one that nobody can have.
 */
export async function erasePerson(world: World, tx: Tx, personId: string): Promise<void> {
  await allowErasing(tx);
  const address = `erased-${personId}@erased.invalid`;
  const addresses = await writtenAddresses(tx, personId);
  for (const table of tables) {
    await tx.query({
      name: `erase_person_from_${table}`,
      text: `delete from ${table} where person_id = $1`,
      values: [personId],
    });
  }
  await tx.query({
    name: 'redact_account_audit',
    text: `update account_audit_entries a set detail = jsonb_build_object('erased_at', $2::timestamptz)
           from people p left join members m on m.canonical_email = p.canonical_email
           where p.id = $1 and (a.person_id = p.id or a.detail ->> 'email' = any ($3::text[]) or a.detail ->> 'member_id' = m.id::text)`,
    values: [personId, world.clock.now(), addresses],
  });
  const companies = await tx.query<{ account_id: string }>({
    name: 'companies_of_erased_person',
    text: `select m.account_id from members m join people p on p.canonical_email = m.canonical_email
           where p.id = $1 order by m.account_id`,
    values: [personId],
  });
  for (const { account_id } of companies) await endExports(world, tx, account_id);
  await tx.query({
    name: 'erase_memberships',
    text: `delete from members m using people p where p.id = $1 and m.canonical_email = p.canonical_email`,
    values: [personId],
  });
  await tx.query({
    name: 'erase_removed_memberships',
    text: `delete from removed_members m using people p where p.id = $1 and m.canonical_email = p.canonical_email`,
    values: [personId],
  });
  await tx.query({
    name: 'erase_vendor_user',
    text: `update esign_connections set vendor_user_name = null, vendor_user_email = null, connected_by = null
           where connected_by = $1`,
    values: [personId],
  });
  await tx.query({
    name: 'erase_reply_addresses_of_person',
    text: `update brands b set reply_to = null, always_reply_to = false, version = version + 1
           where b.reply_to = any ($1::text[])`,
    values: [addresses],
  });
  await eraseMemberFromMessages(tx, personId);
  await tx.query({
    name: 'erase_person',
    text: `update people set email = $2, canonical_email = $2, password_hash = null, totp_secret = null,
             totp_confirmed_at = null, totp_last_step = null where id = $1`,
    values: [personId, address],
  });
}

/**
 * Returns the address of a person in every way in which it is written in the audit log and as a reply address. SQL finds those
 * with the same local part, whatever its case, and all that are not ASCII alone. Which of them are the person's is decided as
 * everywhere else.
 */
async function writtenAddresses(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx.query<{ written: string; email: string }>({
    name: 'find_written_addresses',
    text: `with person as (select email, lower(regexp_replace(btrim(email), '@[^@]*$', '')) as local from people where id = $1)
           select distinct written, person.email from person, (
             select detail ->> 'email' as written from account_audit_entries where detail ? 'email'
             union all select reply_to from brands
           ) every_address
           where lower(regexp_replace(btrim(written), '@[^@]*$', '')) = person.local or written ~ '[^ -~]'`,
    values: [personId],
  });
  return rows.filter(({ written, email }) => isSameEmail(written, email)).map(({ written }) => written);
}
