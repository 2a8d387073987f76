import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { hashToken } from './token.ts';
import { base32 } from './totp.ts';

const codesAtOnce = 10;
/** 120 bits: from 112 on a plain SHA-256 is enough to store them (ASVS 6.5.2). */
const codeBytes = 15;

/** New codes in place of all the old ones, such as `ABCD-EFGH-JKLM-NPQR-STUV-WXYZ`. They are shown this once. */
export async function replaceRecoveryCodes(world: World, tx: Tx, personId: string): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, () => base32(world.random.bytes(codeBytes)));
  await removeRecoveryCodes(tx, personId);
  await tx.query({
    name: 'insert_recovery_codes',
    text: 'insert into recovery_codes (person_id, code_hash) select $1, unnest($2::bytea[])',
    values: [personId, codes.map(hashToken)],
  });
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

/** True once for each code, however it is spaced and spelt. */
export async function useRecoveryCode(world: World, db: Queryable, personId: string, code: string): Promise<boolean> {
  const rows = await db.query({
    name: 'use_recovery_code',
    text: `update recovery_codes set used_at = $3
           where person_id = $1 and code_hash = $2 and used_at is null returning 1`,
    values: [personId, hashToken(code.replaceAll(/[^a-z2-7]/gi, '').toUpperCase()), world.clock.now()],
  });
  return rows.length === 1;
}

export async function countRecoveryCodes(db: Queryable, personId: string): Promise<number> {
  const rows = await db.query({
    name: 'list_unused_recovery_codes',
    text: 'select 1 from recovery_codes where person_id = $1 and used_at is null',
    values: [personId],
  });
  return rows.length;
}

export async function removeRecoveryCodes(db: Queryable, personId: string): Promise<void> {
  await db.query({
    name: 'remove_recovery_codes',
    text: 'delete from recovery_codes where person_id = $1',
    values: [personId],
  });
}
