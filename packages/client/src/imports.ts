import { createList, type List, type ListOptions } from './list.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions, Send, WriteOptions } from './request.ts';
import type { Import, ImportItem, ImportSource, ImportStatus, StartedImport, StartImport } from './types.ts';

export interface ListImports extends ListOptions {
  /** Only imports with one of these statuses. */
  status?: ImportStatus | readonly ImportStatus[];
}

export interface Imports {
  /** Imports, newest first. Scope `imports:read`. */
  list(options?: ListImports): List<Import>;
  /**
   * Starts an import. For `cloud_drive` and `cloud_files` the answer comes when the files are in, so the time-out is 100 seconds
   * unless you give another. Scope `imports:write`.
   */
  start(body: StartImport, options?: WriteOptions): Promise<StartedImport>;
  /** Scope `imports:read`. */
  get(id: string, options?: RequestOptions): Promise<Import>;
  /** Files of one import, oldest first. Scope `imports:read`. */
  items(id: string, options?: ListOptions): List<ImportItem>;
}

/** The server answers within 85 seconds. */
const startTimeoutMs = 100_000;

export function createImports(send: Send): Imports {
  return {
    list: ({ status, ...options } = {}) =>
      createList<Import>(
        send,
        '/imports',
        options,
        { status: status === undefined ? undefined : [status].flat().join() },
        withKnownSource,
      ),
    start: async (body, options = {}) => {
      const timeoutMs = options.timeoutMs ?? startTimeoutMs;
      const request = { path: '/imports', body, options: { ...options, timeoutMs } };
      return withKnownSource(await send<StartedImport>({ ...request, method: 'POST' }));
    },
    get: async (id, options = {}) =>
      withKnownSource(await send<Import>({ method: 'GET', path: pathOf('/imports', id), options })),
    items: (id, options = {}) => createList<ImportItem>(send, `${pathOf('/imports', id)}/items`, options),
  };
}

const sources: readonly string[] = [
  'esign_vendor',
  'cloud_drive',
  'cloud_files',
  'upload',
] satisfies readonly ImportSource[];

/** New sources may be added to the API. One that this version does not know is treated as `upload`. */
function withKnownSource<T extends Import>(given: T): T {
  return sources.includes(given.source) ? given : { ...given, source: 'upload' };
}
