import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { findPerson, type Person } from './people.ts';
import { removeRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { drawTotpSecret, stepOfCode } from './totp.ts';

/** Draws the secret that an authenticator will share. It counts for nothing until it is confirmed by a code. */
export async function beginTotp(world: World, db: Queryable, box: SecretBox, personId: string): Promise<string> {
  const secret = drawTotpSecret(world.random);
  await db.query({
    name: 'begin_totp',
    text: `update people set totp_secret = $2, totp_last_step = null where id = $1 and totp_confirmed_at is null`,
    values: [personId, box.encrypt(secret, totpContext(personId))],
  });
  return secret;
}

/** From now on signing in asks for a code. Returns the recovery codes; null for a wrong code. */
export async function confirmTotp(
  world: World,
  tx: Tx,
  box: SecretBox,
  personId: string,
  code: string,
): Promise<string[] | null> {
  const person = await findPerson(tx, personId);
  if (person === null || !(await useTotpCode(world, tx, box, person, code))) return null;
  await tx.query({
    name: 'confirm_totp',
    text: 'update people set totp_confirmed_at = $2 where id = $1',
    values: [personId, world.clock.now()],
  });
  return replaceRecoveryCodes(world, tx, personId);
}

/** A code of the authenticator, or a recovery code: each counts once. */
export async function useSecondFactor(
  world: World,
  db: Queryable,
  box: SecretBox,
  person: Person,
  code: string,
): Promise<'totp' | 'recovery_code' | null> {
  if (person.totp_confirmed_at === null) return null;
  if (await useTotpCode(world, db, box, person, code)) return 'totp';
  return (await useRecoveryCode(world, db, person.id, code)) ? 'recovery_code' : null;
}

export async function removeTotp(db: Queryable, personId: string): Promise<void> {
  await db.query({
    name: 'remove_totp',
    text: 'update people set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where id = $1',
    values: [personId],
  });
  await removeRecoveryCodes(db, personId);
}

/** The step is moved on in one statement: of two that bring the same code, one is too late. */
async function useTotpCode(
  world: World,
  db: Queryable,
  box: SecretBox,
  person: Person,
  code: string,
): Promise<boolean> {
  if (person.totp_secret === null) return false;
  const secret = box.decrypt(person.totp_secret, totpContext(person.id));
  const step = stepOfCode(secret, code, world.clock.now());
  if (step === null) return false;
  const rows = await db.query({
    name: 'use_totp_step',
    text: `update people set totp_last_step = $2
           where id = $1 and totp_secret = $3 and (totp_last_step is null or totp_last_step < $2) returning 1`,
    values: [person.id, step, person.totp_secret],
  });
  return rows.length === 1;
}

export function totpContext(personId: string): string {
  return `totp:${personId}`;
}
