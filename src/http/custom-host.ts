import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A host name of a company, on which only pages for recipients are served. */
export interface CustomHost {
  accountId: string;
  /** In lower case, with A-labels. */
  host: string;
  /** Scheme and port are those of PUBLIC_URL. */
  origin: string;
}

/** Finds the company of a host name. Called for every request to another host than that of PUBLIC_URL, so it must be cheap. */
export interface CustomHosts {
  find(host: string): Promise<CustomHost | null>;
  /** Whether a company has proven this host and still has it, also while it is broken. */
  isProven(host: string): Promise<boolean>;
}

/** Where a request belongs: here, here as a page of a company's own host, or at another address. */
export type Place = { kind: 'ours' } | { kind: 'custom'; host: CustomHost } | { kind: 'elsewhere'; to: string };

const ours: Place = { kind: 'ours' };

/** Decides by the `Host` of a request. Without a PUBLIC_URL every host is ours. */
export async function placeOf(request: FastifyRequest, publicUrl: string | null, hosts: CustomHosts): Promise<Place> {
  if (publicUrl === null) return ours;
  const asked = request.host?.toLowerCase() ?? '';
  const defaultPort = publicUrl.startsWith('https:') ? ':443' : ':80';
  const { host: expected, hostname, port } = new URL(publicUrl);
  if (asked === expected || asked === expected + defaultPort) return ours;
  const path = pathOf(request);
  const elsewhere: Place = { kind: 'elsewhere', to: publicUrl + path };

  const [, name = '', askedPort = ''] = /^([a-z0-9.-]{1,254})(:\d{1,5})?$/.exec(asked) ?? [];
  const isExpectedPort = port === '' ? ['', defaultPort].includes(askedPort) : askedPort === `:${port}`;
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  if (!isExpectedPort || bare === '' || bare === hostname) return elsewhere;
  const host = await hosts.find(bare);
  if (host === null) return elsewhere;
  // To a browser, a host with a final dot is another origin.
  return name === bare ? { kind: 'custom', host } : { kind: 'elsewhere', to: host.origin + path };
}

/** The path and query of a request, to be appended to an origin. A request to a proxy names a whole URL. */
export function pathOf({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
  if (originalUrl.startsWith('/')) return originalUrl;
  if (!URL.canParse(originalUrl)) return '/';
  const { pathname, search } = new URL(originalUrl);
  return pathname.startsWith('/') ? pathname + search : '/';
}

/** Registers routes that are served on the hosts of companies too. All other routes are not. */
export async function forRecipients(
  app: FastifyInstance,
  register: (scope: FastifyInstance) => Promise<void>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isForRecipients: true };
    });
    await register(scope);
  });
}

/** The origin of the pages that a request belongs to: that of the company's own host, or `origin`. */
export function originOf({ customHost }: FastifyRequest, origin: string): string {
  return customHost?.origin ?? origin;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The company's own host that the request was sent to. */
    customHost?: CustomHost;
  }
  interface FastifyContextConfig {
    isForRecipients?: boolean;
  }
}
