import type { Database } from '../postgres/database.ts';
import type { EsignOauth } from '../world/esign-oauth.ts';
import type { SecretBox } from '../world/secret-box.ts';
import type { World } from '../world/world.ts';

/** What connecting the e-signature vendor, and calling it, needs of the process. */
export interface EsignMeans {
  world: World;
  database: Database;
  secretBox: SecretBox;
  /** Null: the operator has not registered this service with the vendor (ESIGN_CLIENT_ID). */
  oauth: EsignOauth | null;
  /** The vendor's OAuth server is on this machine, and so may be what it tells us to call. */
  allowsLocal: boolean;
}
