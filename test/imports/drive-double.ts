import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file in the drive. */
export interface DriveEntry {
  name?: string;
  mimeType?: string;
  bytes?: Buffer;
  /** Rises by one with every change. Both kinds of revision are made from it. */
  version?: number;
  trashed?: boolean;
  canDownload?: boolean;
  /** A wrong size to report. */
  size?: string;
  /** Answers in place of the file: to requests for metadata, for bytes, or both. */
  looks?: Answerer;
  gives?: Answerer;
}

/** Answers a request. Returns false to leave it to the drive. */
export type Answerer = (response: ServerResponse, attempt: number, request: IncomingMessage) => unknown;

export interface DriveDouble {
  /** The value of DRIVE_API_URL. */
  url: string;
  files: Map<string, DriveEntry>;
  /** Valid tokens. */
  tokens: Set<string>;
  /** Requests such as `GET /drive/v3/files/ID?alt=media`, with id and kind. */
  requests: Array<{ kind: 'look' | 'media' | 'export'; id: string; token: string; query: URLSearchParams }>;
  count(kind: 'look' | 'media' | 'export'): number;
  add(id: string, entry: DriveEntry): string;
  stop(): Promise<void>;
}

export const nativePrefix = 'application/vnd.google-apps.';

/** The part of Google Drive v3 that importing uses, according to its public documentation. */
export async function startDriveDouble(): Promise<DriveDouble> {
  const files = new Map<string, DriveEntry>();
  const tokens = new Set(['good-token']);
  const requests: DriveDouble['requests'] = [];
  const attempts = new Map<string, number>();

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://drive');
    const [, id, isExport] = /^\/drive\/v3\/files\/([A-Za-z0-9_-]+)(\/export)?$/.exec(url.pathname) ?? [];
    if (request.method !== 'GET' || id === undefined) return driveError(response, 404, 'notFound');
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const kind = isExport === undefined ? (url.searchParams.get('alt') === 'media' ? 'media' : 'look') : 'export';
    requests.push({ kind, id, token, query: url.searchParams });
    if (!tokens.has(token)) return driveError(response, 401, 'authError');
    const file = files.get(id);
    // Files of shared drives are not found without this.
    if (file === undefined || url.searchParams.get('supportsAllDrives') !== 'true') {
      return driveError(response, 404, 'notFound');
    }
    const attempt = (attempts.get(`${kind} ${id}`) ?? 0) + 1;
    attempts.set(`${kind} ${id}`, attempt);
    const answers = kind === 'look' ? file.looks : file.gives;
    if (answers !== undefined && answers(response, attempt, request) !== false) return undefined;
    if (kind === 'look') return describe(response, id, file, url.searchParams);
    return give(response, file, kind, url.searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    tokens,
    requests,
    count: (kind) => requests.filter((request) => request.kind === kind).length,
    add(id, entry) {
      files.set(id, entry);
      return id;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function driveError(response: ServerResponse, status: number, reason: string, headers = {}): undefined {
  const error = { errors: [{ domain: 'global', reason, message: reason }], code: status, message: reason };
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify({ error }));
}

const isNative = ({ mimeType = '' }: DriveEntry) => mimeType.startsWith(nativePrefix);

function describe(response: ServerResponse, id: string, file: DriveEntry, query: URLSearchParams): undefined {
  const { name = `${id}.pdf`, mimeType = 'application/pdf', bytes = Buffer.alloc(0), version = 1 } = file;
  const hash = (kind: string) => createHash(kind).update(bytes).digest('hex');
  const contents = isNative(file)
    ? {}
    : {
        size: file.size ?? String(bytes.length),
        md5Checksum: hash('md5'),
        sha256Checksum: hash('sha256'),
        headRevisionId: `0B${id}${version}`,
      };
  const all: Record<string, unknown> = {
    id,
    name,
    mimeType,
    ...contents,
    modifiedTime: '2026-01-01T00:00:00.000Z',
    version: String(version),
    trashed: file.trashed ?? false,
    capabilities: { canDownload: file.canDownload ?? true },
  };
  // Like the drive, it returns four fields by default, otherwise the requested ones.
  const wanted = (query.get('fields') ?? 'kind,id,name,mimeType').split(',').map((field) => field.replace(/\(.*$/, ''));
  const body = Object.fromEntries(Object.entries(all).filter(([field]) => wanted.includes(field)));
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}

const exportBytesMax = 10 * 1024 * 1024;

function give(response: ServerResponse, file: DriveEntry, kind: string, query: URLSearchParams): undefined {
  const { bytes = Buffer.alloc(0), mimeType = 'application/pdf' } = file;
  if (file.canDownload === false) return driveError(response, 403, 'fileNotDownloadable');
  if (isNative(file) !== (kind === 'export')) return driveError(response, 403, 'fileNotDownloadable');
  if (kind === 'export') {
    if (query.get('mimeType') !== 'application/pdf') return driveError(response, 400, 'badRequest');
    if (bytes.length > exportBytesMax) return driveError(response, 403, 'exportSizeLimitExceeded');
    // An export has no declared length, and differs each time.
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.write(bytes);
    response.end(`% exported ${Math.random()}\n`);
    return;
  }
  response.writeHead(200, { 'content-type': mimeType, 'content-length': bytes.length }).end(bytes);
}
