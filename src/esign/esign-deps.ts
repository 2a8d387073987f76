import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { EsignOauth } from './vendor/oauth.ts';

/** Dependencies of the code that connects and calls the e-signature vendor. */
export interface EsignDeps {
  world: World;
  database: Database;
  secretBox: SecretBox;
  /** Null: the operator has not registered this service with the vendor (ESIGN_CLIENT_ID). */
  oauth: EsignOauth | null;
  /** Allows local addresses, because the vendor's OAuth server runs on this machine. */
  allowsLocal: boolean;
}
