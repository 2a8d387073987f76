import type { Config } from '../config.ts';

/** What links to our pages begin with: as set, else where the service answers just now, else where these settings have it. */
export async function pagesOrigin({ publicUrl, dataDir, host, port }: Config): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  // Loaded only here: no other command makes links.
  const [{ findServedOrigin }, { localOrigin }] = await Promise.all([
    import('../http/served-origin.ts'),
    import('../http/local-origin.ts'),
  ]);
  return (await findServedOrigin(dataDir)) ?? localOrigin(host, port);
}
