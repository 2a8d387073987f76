import { checkPublicUrl } from '../../public-fetch/public-fetch.ts';

/** The forms of the file store's links to exactly one file: Dropbox's, unless other hosts are set. */
export interface LinkRules {
  /** Returns the URL of the file's bytes, or why the link is refused. */
  check(link: string): { url: string } | { refused: string };
  /** Whether a redirect may lead to this URL: any path on the store's hosts. */
  isStoreHost(url: URL): boolean;
}

export interface LinkSettings {
  /** `host` or `host:port` each; null for Dropbox's hosts. */
  hosts: readonly string[] | null;
  /** Also allows `http` and private hosts, for development and tests. */
  allowPrivate: boolean;
}

/** A host for web pages, for file bytes, or for temporary links. */
type HostKind = 'pages' | 'bytes' | 'temporary';

const hostKinds: Array<[host: RegExp, kind: HostKind]> = [
  [/^(?:www\.)?dropbox\.com$/, 'pages'],
  [/^dl\.(?:dropboxusercontent|dropbox)\.com$/, 'bytes'],
  [/^uc[0-9a-f]+\.dl\.dropboxusercontent\.com$/, 'temporary'],
];

interface Shape {
  path: RegExp;
  on: readonly HostKind[];
  /** A query parameter that the link must have. */
  needs?: string;
  /** Whether the link shows a page unless the file itself is requested. */
  isPage: boolean;
}

/* biome-ignore format: a table reads as a table */
const shapes: readonly Shape[] = [
  { path: /^\/s\/[^/]+\/[^/]+$/,           on: ['pages', 'bytes'], isPage: true },
  { path: /^\/scl\/fi\/[^/]+\/[^/]+$/,     on: ['pages', 'bytes'], isPage: true, needs: 'rlkey' },
  { path: /^\/1\/view\/[^/]+(?:\/[^/]+)+$/, on: ['bytes'],         isPage: false },
  { path: /^\/apitl\/1\/[^/]+$/,           on: ['bytes'],          isPage: false },
  { path: /^\/cd\/0\/get\/[^/]+\/file$/,   on: ['temporary'],      isPage: false },
];

export function createLinkRules({ hosts, allowPrivate }: LinkSettings): LinkRules {
  const kindsOf = (host: string): readonly HostKind[] => {
    // Configured hosts play all roles at once, as the tests' stand-in does.
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

/** A link of the chooser has the folders of its user too. */
const pathsWithName = /^\/(?:(?:s|scl\/fi)\/[^/]+|1\/view\/[^/]+(?:\/[^/]+)*)\/([^/]+)$/;

/** A character that is written as percent escapes: ASCII, or UTF-8 of several bytes. */
const escapedCharacter = /%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f])+/gi;

/** Returns the file name in the link, or null. Escapes that stand for no character stay as they are. */
export function nameInLink(link: string): string | null {
  const [, encoded] = pathsWithName.exec(new URL(link).pathname) ?? [];
  return encoded?.replaceAll(escapedCharacter, decoded) ?? null;
}

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
