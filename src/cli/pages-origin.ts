import type { Config } from '../config.ts';

/** What links to our pages begin with. Loaded only here: the module brings a part of HTTP along that no other command needs. */
export async function pagesOrigin({ publicUrl, host, port }: Config): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  const { localOrigin } = await import('../http/local-origin.ts');
  return localOrigin(host, port);
}
