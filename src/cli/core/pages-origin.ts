import type { Config } from '../../config.ts';

/** Returns the origin of links: PUBLIC_URL, else where the running service answers, else HOST and PORT. */
export async function pagesOrigin({ publicUrl, dataDir, host, port }: Config): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  // Loaded on demand: no other command makes links.
  const [{ findServedOrigin }, { localOrigin }] = await Promise.all([
    import('../../http/served-origin.ts'),
    import('../../http/local-origin.ts'),
  ]);
  return (await findServedOrigin(dataDir)) ?? localOrigin(host, port);
}
