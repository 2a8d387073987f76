import type { Config } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { readSecretKey } from '../../platform/secret-key.ts';
import type { Queryable } from '../../postgres/database.ts';
import { explainLostKey } from '../../secrets/first-key.ts';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { openSecretBox } from '../core/secret-box.ts';
import { commandWorld } from '../core/session.ts';

/** Checks that the current keys can decrypt every secret in the database. */
export async function checkSecrets(config: Config, db: Queryable): Promise<string> {
  const { secretKey, previousSecretKey, dataDir } = config;
  if (secretKey === null && (await readSecretKey(dataDir)) === null) {
    const lost = await explainLostKey({ dataDir, db, hasOwnCertificate: config.signingCertificate === null });
    if (lost !== null) throw new OperatorError(lost);
    return 'the secret key is made at the first start';
  }
  const { secretBox } = await openSecretBox({ config, world: commandWorld(config), db });
  const { resealed, current, unreadable } = await resealSecrets(db, secretBox, { dryRun: true });
  if (unreadable > 0) {
    throw new OperatorError(
      `${unreadable} are encrypted with another key: set it as SECRET_KEY or SECRET_KEY_PREVIOUS`,
    );
  }
  if (previousSecretKey === null) return `${current} encrypted, all readable`;
  return resealed > 0
    ? `${resealed} are encrypted with SECRET_KEY_PREVIOUS still: run countersign secrets rotate`
    : `${current} encrypted, none with SECRET_KEY_PREVIOUS: it may go when every process runs with the new key`;
}
