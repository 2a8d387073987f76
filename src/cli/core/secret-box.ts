import type { Config } from '../../config.ts';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.ts';
import { readSecretKey } from '../../platform/secret-key.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable } from '../../postgres/database.ts';
import { makeFirstKey } from '../../secrets/first-key.ts';

export interface KeyHolder {
  config: Config;
  world: World;
  db: Queryable;
}

/**
 * The service must decrypt what this command encrypts. On an external database they may have different keys: prints a warning
 * when a key was just generated here. Throws an `OperatorError` when the key was lost.
 */
export async function openSecretBox(holder: KeyHolder): Promise<{ secretBox: SecretBox; concern: string | null }> {
  const { config, world } = holder;
  const known = config.secretKey ?? (await readSecretKey(config.dataDir));
  const key = known ?? (await makeKey(holder));
  const isNew = known === null && config.databaseUrl !== null;
  return {
    secretBox: createSecretBox(key, world.random, config.previousSecretKey),
    concern: isNew ? `made a new secret key in ${config.dataDir}: ${mustBeShared}` : null,
  };
}

const mustBeShared = 'unless the service uses it too (DATA_DIR or SECRET_KEY), it cannot sign what it delivers';

/** Makes the key of a new installation, as the service would at its first start. */
export function makeKey({ config: { dataDir, signingCertificate }, world, db }: KeyHolder): Promise<Buffer> {
  return makeFirstKey({ dataDir, db, hasOwnCertificate: signingCertificate === null }, world.random);
}
