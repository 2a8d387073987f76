import type pg from 'pg';
import { OperatorError } from '../errors.ts';
import { canonicalEmail } from '../platform/canonical-email.ts';

export interface StepOptions {
  /** Ids of people and members that keep an address that others have too. */
  keep?: readonly string[];
  /** Receives one sentence about something that the operator should check. */
  onNotice?: (notice: string) => void;
}

interface Row {
  id: string;
  email: string;
}

/**
 * Fills in the canonical form of every address that is not ASCII. If people, or members of one company, turn out to
 * share an address, it changes nothing and throws an `OperatorError` that lists them. `keep` names the rows that stay.
 */
export async function fillCanonicalEmails(client: pg.Client, { keep = [], onNotice }: StepOptions): Promise<void> {
  const open: string[] = [];
  for (const table of ['people', 'members'] as const) {
    await fill(client, table);
    for (const group of await findCollisions(client, table)) {
      const kept = group.filter(({ id }) => keep.includes(id));
      if (kept[0] === undefined || kept.length > 1) open.push(...group.map((row) => describe(table, row)));
      else await retire[table](client, kept[0], group);
    }
  }
  if (open.length > 0) {
    throw new OperatorError(
      `nothing was migrated: several entries have the same e-mail address, written differently: ${open.join(', ')}. ` +
        'For each address choose the entry to keep, and run: countersign migrate --keep ID (once for each address). ' +
        'A person that is not kept can no longer sign in. A member that is not kept is removed.',
    );
  }
  await warnOfLookAlikes(client, onNotice);
}

async function fill(client: pg.Client, table: 'people' | 'members'): Promise<void> {
  const { rows } = await client.query<Row>(`select id, email from ${table} where canonical_email is null`);
  for (const { id, email } of rows) {
    await client.query(`update ${table} set canonical_email = $2 where id = $1`, [id, canonicalEmail(email)]);
  }
}

async function findCollisions(client: pg.Client, table: 'people' | 'members'): Promise<Row[][]> {
  const where = table === 'people' ? 'canonical_email' : 'account_id, canonical_email';
  const { rows } = await client.query<{ found: Row[] }>(
    `select json_agg(json_build_object('id', id, 'email', email) order by id) as found
     from ${table} group by ${where} having count(*) > 1`,
  );
  return rows.map(({ found }) => found);
}

/** Describes a row in ASCII, because these addresses look the same on a screen. */
function describe(table: 'people' | 'members', { id, email }: Row): string {
  return `${table === 'people' ? 'person' : 'member'} ${id} (${escaped(email)})`;
}

function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}

const retire = {
  /**
   * Keeps the history of the other people and deletes what could sign them in. Their canonical form has no @, so no
   * address matches it.
   */
  async people(client: pg.Client, kept: Row, group: readonly Row[]): Promise<void> {
    const ids = group.filter(({ id }) => id !== kept.id).map(({ id }) => id);
    for (const table of ['sessions', 'sign_in_links', 'passkeys', 'passkey_challenges', 'recovery_codes']) {
      await client.query(`delete from ${table} where person_id = any ($1::uuid[])`, [ids]);
    }
    await client.query(
      `update people set canonical_email = 'replaced:' || id, password_hash = null, totp_secret = null,
         totp_confirmed_at = null, totp_last_step = null
       where id = any ($1::uuid[])`,
      [ids],
    );
  },

  /** Keeps one member with the highest role of the group, so that a company keeps its owner. */
  async members(client: pg.Client, kept: Row, group: readonly Row[]): Promise<void> {
    const ids = group.map(({ id }) => id);
    await client.query(
      `update members set role = (
         select role from members where id = any ($2::uuid[]) order by array_position(array['owner', 'admin', 'member'], role) limit 1
       ) where id = $1`,
      [kept.id, ids],
    );
    await client.query('delete from members where id = any ($2::uuid[]) and id <> $1', [kept.id, ids]);
  },
};

/** Warns about members that were treated as a person with another address. */
async function warnOfLookAlikes(client: pg.Client, onNotice: StepOptions['onNotice']): Promise<void> {
  const { rows } = await client.query<{ id: string; person_id: string }>(
    `select m.id, p.id as person_id from members m
     join people p on lower(p.email) = lower(m.email) and p.canonical_email <> m.canonical_email order by m.id`,
  );
  for (const { id, person_id } of rows) {
    // Notices are logged, and logs must not hold addresses.
    onNotice?.(
      `member ${id} has an address that only looks like that of person ${person_id}, and is now treated as someone else: ` +
        `if the member should not be there, run countersign user remove ${id}`,
    );
  }
}
