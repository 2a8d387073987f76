import type { FastifyInstance } from 'fastify';

/**
 * Remembers the routes that are registered on `app` from now on. Returns the `Allow` header of the answer to a method
 * that has no route at a path: the methods that have one. Null when no other has, or when this one does and what it asked
 * for does not exist. Routes that hide (`config.isHidden`) are left out.
 */
export function rememberMethods(app: FastifyInstance): (method: string, path: string) => string | null {
  const known: Array<{ pattern: RegExp; methods: string[] }> = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isHidden !== true) known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return (asked, path) => {
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods));
    return methods.size === 0 || methods.has(asked) ? null : [...methods].sort().join(', ');
  };
}

/** `/sign/:token` → `/^\/sign\/[^/]+$/`, and `*` for any rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a stranger must not learn that there is something at this address. */
    isHidden?: boolean;
  }
}
