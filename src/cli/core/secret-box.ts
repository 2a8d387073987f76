import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.ts';
import { ensureSecretKey } from '../../platform/secret-key.ts';
import type { World } from '../../platform/world.ts';

/**
 * The service must decrypt what this command encrypts. On an external database they may have different keys: prints a warning
 * when a key was just generated here.
 */
export async function openSecretBox(
  { secretKey, previousSecretKey, dataDir, databaseUrl }: Config,
  world: World,
): Promise<{ secretBox: SecretBox; concern: string | null }> {
  const isNew = secretKey === null && !existsSync(join(dataDir, 'secret.key'));
  const key = await ensureSecretKey(secretKey, dataDir, world.random);
  return {
    secretBox: createSecretBox(key, world.random, previousSecretKey),
    concern: isNew && databaseUrl !== null ? `made a new secret key in ${dataDir}: ${mustBeShared}` : null,
  };
}

const mustBeShared = 'unless the service uses it too (DATA_DIR or SECRET_KEY), it cannot sign what it delivers';
