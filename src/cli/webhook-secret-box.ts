import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createSecretBox, type SecretBox } from '../world/secret-box.ts';
import { ensureSecretKey } from '../world/secret-key.ts';
import type { World } from '../world/world.ts';
import { remark } from './terminal.ts';

/** What this command seals the service must open: on a database of its own it may have another DATA_DIR and key. */
export async function openSecretBox({ secretKey, dataDir, databaseUrl }: Config, world: World): Promise<SecretBox> {
  if (secretKey === null && databaseUrl !== null && !existsSync(join(dataDir, 'secret.key'))) {
    remark(`making a new secret key in ${dataDir}: set DATA_DIR or SECRET_KEY as for the service`);
  }
  return createSecretBox(await ensureSecretKey(secretKey, dataDir, world.random), world.random);
}
