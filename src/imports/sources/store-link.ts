import { checkPublicUrl } from '../../world/public-fetch.ts';

/** The links of the file store, in all the shapes in which it hands out exactly one file (Dropbox's, unless set otherwise). */
export interface LinkRules {
  /** The URL that gives the file's bytes, or why the link is refused. */
  check(link: string): { url: string } | { refused: string };
  /** Whether a redirect may lead there: any path of the store's hosts. */
  isStoreHost(url: URL): boolean;
}

export interface LinkSettings {
  /** `host` or `host:port`; null for the store's own. */
  hosts: readonly string[] | null;
  /** `http` too, and private hosts: for development and tests. */
  allowPrivate: boolean;
}

/** The hosts that pages live on, that bytes come from, and that a temporary link is made for. */
type HostKind = 'pages' | 'bytes' | 'temporary';

const hostKinds: Array<[host: RegExp, kind: HostKind]> = [
  [/^(?:www\.)?dropbox\.com$/, 'pages'],
  [/^dl\.(?:dropboxusercontent|dropbox)\.com$/, 'bytes'],
  [/^uc[0-9a-f]+\.dl\.dropboxusercontent\.com$/, 'temporary'],
];

interface Shape {
  path: RegExp;
  on: readonly HostKind[];
  /** Without this query parameter the link opens nothing. */
  needs?: string;
  /** Shows a page unless asked for the file. */
  isPage: boolean;
}

/* biome-ignore format: a table reads as a table */
const shapes: readonly Shape[] = [
  { path: /^\/s\/[^/]+\/[^/]+$/,           on: ['pages', 'bytes'], isPage: true },
  { path: /^\/scl\/fi\/[^/]+\/[^/]+$/,     on: ['pages', 'bytes'], isPage: true, needs: 'rlkey' },
  { path: /^\/1\/view\/[^/]+\/[^/]+$/,     on: ['bytes'],          isPage: false },
  { path: /^\/apitl\/1\/[^/]+$/,           on: ['bytes'],          isPage: false },
  { path: /^\/cd\/0\/get\/[^/]+\/file$/,   on: ['temporary'],      isPage: false },
];

export function createLinkRules({ hosts, allowPrivate }: LinkSettings): LinkRules {
  const kindsOf = (host: string): readonly HostKind[] => {
    // A double plays all the store's hosts at once.
    if (hosts !== null) return hosts.includes(host) ? ['pages', 'bytes', 'temporary'] : [];
    return hostKinds.filter(([pattern]) => pattern.test(host)).map(([, kind]) => kind);
  };

  return {
    check(link) {
      const checked = checkPublicUrl(link, { allowPrivate });
      if ('refused' in checked) return { refused: `it ${checked.refused}` };
      const { url } = checked;
      const kinds = kindsOf(url.host);
      if (kinds.length === 0) return { refused: 'it is not of the file store' };
      const shape = shapes.find(({ path, on }) => path.test(url.pathname) && on.some((kind) => kinds.includes(kind)));
      if (shape === undefined) return { refused: 'links to folders, transfers and trackers are not' };
      if (shape.needs !== undefined && !url.searchParams.get(shape.needs)) {
        return { refused: `its ${shape.needs} is missing` };
      }
      if (shape.isPage) {
        url.searchParams.delete('raw');
        url.searchParams.set('dl', '1');
      }
      return { url: url.href };
    },
    isStoreHost: (url) => kindsOf(url.host).length > 0,
  };
}

const pathsWithName = /^\/(?:s|scl\/fi|1\/view)\/[^/]+\/([^/]+)$/;

/** The file's name where the link bears it. */
export function nameInLink(link: string): string | null {
  const [, encoded] = pathsWithName.exec(new URL(link).pathname) ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
