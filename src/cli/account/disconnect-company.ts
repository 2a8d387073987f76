import { disconnect } from '../../esign/disconnect.ts';
import { openEsign } from '../../esign/open-esign.ts';
import { openSecretBox } from '../core/secret-box.ts';
import type { Session } from '../core/session.ts';

/** Disconnects the company on behalf of the operator. Returns null when it was not connected. */
export async function disconnectCompany({ config, world, db }: Session, accountId: string) {
  const { secretBox } = await openSecretBox({ config, world, db });
  return disconnect(openEsign(config, { world, database: db, secretBox }), accountId, null);
}
