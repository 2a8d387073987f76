import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { TextResolver } from '../public-fetch/public-fetch.ts';
import type { ProviderDeps } from './provider.ts';

/** Dependencies of single sign-on. */
export interface SsoDeps extends ProviderDeps {
  world: World;
  db: Database;
  secretBox: SecretBox;
  /** For the records that prove domains. */
  txt: TextResolver;
}
