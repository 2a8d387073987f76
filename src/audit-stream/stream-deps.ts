import type { SecretBox } from '../platform/secret-box.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { HostResolver, PublicFetch } from '../public-fetch/public-fetch.ts';

/** Dependencies of streams of audit logs. */
export interface StreamDeps {
  world: World;
  db: Database;
  secretBox: SecretBox;
  publicFetch: PublicFetch;
  resolver: HostResolver;
  /** Allows private addresses, `http` and syslog without TLS. For development and tests. */
  allowPrivate: boolean;
  /** Time limit of one batch: DNS, connection and answer together. */
  timeoutMs: number;
  /** The public origin. Syslog messages name its host. */
  origin: () => string;
}
