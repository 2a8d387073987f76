import type { World } from '../platform/world.ts';
import type { Queryable } from '../postgres/database.ts';
import { drawToken, hashToken } from './token.ts';

const minutesValid = 5;

/** What a browser is to sign. `personId`: whose passkey is registered; null to sign in, when that is not known yet. */
export async function drawChallenge(world: World, db: Queryable, personId: string | null): Promise<string> {
  const challenge = drawToken(world.random);
  await db.query({
    name: 'insert_passkey_challenge',
    text: 'insert into passkey_challenges (challenge_hash, person_id, expires_at) values ($1, $2, $3)',
    values: [hashToken(challenge), personId, new Date(world.clock.now().getTime() + minutesValid * 60_000)],
  });
  return challenge;
}

/** True once, for the purpose it was drawn for. */
export async function useChallenge(
  world: World,
  db: Queryable,
  personId: string | null,
  challenge: string,
): Promise<boolean> {
  const rows = await db.query({
    name: 'use_passkey_challenge',
    text: `delete from passkey_challenges
           where challenge_hash = $1 and person_id is not distinct from $2::uuid and expires_at > $3 returning 1`,
    values: [hashToken(challenge), personId, world.clock.now()],
  });
  return rows.length === 1;
}
