import { isSameEmail } from '../platform/canonical-email.ts';
import type { World } from '../platform/world.ts';
import type { Statement, Tx } from '../postgres/database.ts';
import { allowErasing } from './allow-erasing.ts';
import { endExports } from './end-exports.ts';
import { eraseMemberFromMessages } from './erase-from-messages.ts';

/** Tables of what a person signs in with, each after those that refer to it. */
const tables = [
  'sign_in_links',
  'passkey_challenges',
  'passkeys',
  'recovery_codes',
  'saved_signatures',
  'known_browsers',
  'sessions',
  'sso_identities',
  'operators',
] as const;

/**
 * Erases someone who signs in: their memberships, address, password and keys, and the details of what they did in the console.
 * The person stays as an id, because audit trails name it. Their address becomes one that nobody can have.
 */
export async function erasePerson(world: World, tx: Tx, personId: string): Promise<void> {
  await allowErasing(tx);
  const address = `erased-${personId}@erased.invalid`;
  const addresses = await writtenAddresses(tx, personId);
  // All that have something of the person, also those that they left. Their exports have it too.
  const companies = new Set<string | null>();
  const erase = async (statement: Statement<{ account_id: string | null }>) => {
    for (const { account_id } of await tx.query(statement)) companies.add(account_id);
  };
  for (const table of tables) {
    await tx.query({
      name: `erase_person_from_${table}`,
      text: `delete from ${table} where person_id = $1`,
      values: [personId],
    });
  }
  await erase({
    name: 'redact_account_audit',
    text: `with named as (
             select id from account_audit_entries where person_id = $1
             union
             select id from account_audit_entries where detail ? 'email' and detail ->> 'email' = any ($3::text[])
               and email_key(detail ->> 'email') = any (array(select email_key(address) from unnest($3::text[]) address))
             union
             select id from account_audit_entries where detail ? 'member_id' and detail ->> 'member_id' = any (array(
               select m.id::text from people p join members m on m.canonical_email = p.canonical_email where p.id = $1))
           ), redacted as (
             update account_audit_entries a set detail = jsonb_build_object('erased_at', $2::timestamptz)
             from named where a.id = named.id returning a.account_id
           )
           select distinct account_id from redacted`,
    values: [personId, world.clock.now(), addresses],
  });
  await erase({
    name: 'erase_memberships',
    text: `delete from members m using people p where p.id = $1 and m.canonical_email = p.canonical_email
           returning m.account_id`,
    values: [personId],
  });
  await erase({
    name: 'erase_removed_memberships',
    text: `delete from removed_members m using people p where p.id = $1 and m.canonical_email = p.canonical_email
           returning m.account_id`,
    values: [personId],
  });
  await erase({
    name: 'erase_vendor_user',
    text: `update esign_connections set vendor_user_name = null, vendor_user_email = null, connected_by = null
           where connected_by = $1 returning account_id`,
    values: [personId],
  });
  await erase({
    name: 'erase_reply_addresses_of_person',
    text: `update brands b set reply_to = null, always_reply_to = false, version = version + 1
           where b.reply_to = any ($1::text[]) returning b.account_id`,
    values: [addresses],
  });
  for (const company of await eraseMemberFromMessages(tx, personId)) companies.add(company);
  await tx.query({
    name: 'erase_person',
    text: `update people set email = $2, canonical_email = $2, password_hash = null, totp_secret = null,
             totp_confirmed_at = null, totp_last_step = null where id = $1`,
    values: [personId, address],
  });
  await endExports(world, tx, companies);
}

/**
 * Returns the address of a person in every way in which it is written in the audit log and as a reply address. Its key finds those
 * with the same local part, whatever its case, and the empty key all that are not ASCII alone. Which of them are the person's is
 * decided as everywhere else.
 */
async function writtenAddresses(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx.query<{ written: string; email: string }>({
    name: 'find_written_addresses',
    text: `with person as materialized (
             select email, array['', email_key(regexp_replace(email, '@[^@]*$', '@'))] as keys from people where id = $1
           ), written as (
             select detail ->> 'email' as address from account_audit_entries
             where detail ? 'email' and email_key(detail ->> 'email') = any ((select keys from person)::text[])
             union
             select reply_to from brands where email_key(reply_to) = any ((select keys from person)::text[])
           )
           select address as written, email from written, person`,
    values: [personId],
  });
  return rows.filter(({ written, email }) => isSameEmail(written, email)).map(({ written }) => written);
}
