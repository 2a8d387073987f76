import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import type { AliasResolver, HostResolver, TextResolver } from '../public-fetch/public-fetch.ts';

/** Looks up the records of companies' domains. */
export interface DomainResolvers {
  txt: TextResolver;
  hosts: HostResolver;
  aliases: AliasResolver;
}

/** Dependencies of companies' own hosts. */
export interface DomainDeps {
  world: World;
  db: Database;
  /** Null: there is no name that companies could point theirs to, so they have no own hosts. */
  publicUrl: string | null;
  resolvers: DomainResolvers;
}
