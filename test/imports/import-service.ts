import { type Answer, type Company, call, startTestService, type TestService } from '../support/service.ts';
import { type DriveDouble, startDriveDouble } from './drive-double.ts';
import { type StoreDouble, startStoreDouble } from './store-double.ts';

/** The service with stand-ins for both providers. */
export interface ImportService extends TestService {
  drive: DriveDouble;
  store: StoreDouble;
}

export async function startImportService(env: Record<string, string> = {}): Promise<ImportService> {
  const [drive, store] = await Promise.all([startDriveDouble(), startStoreDouble()]);
  const app = await startTestService({ env: { ...sourceSettings(drive, store), ...env } });
  return {
    ...app,
    drive,
    store,
    async stop() {
      await app.stop();
      await Promise.all([drive.stop(), store.stop()]);
    },
  };
}

export function sourceSettings(drive: DriveDouble, store: StoreDouble): Record<string, string> {
  return { IMPORTS_ALLOW_PRIVATE: 'true', DRIVE_API_URL: drive.url, CLOUD_FILES_HOSTS: store.host };
}

type App = Pick<TestService, 'baseUrl'>;

export function startImport(
  app: App,
  { key }: Pick<Company, 'key'>,
  body: unknown,
  idempotencyKey?: string,
): Promise<Answer> {
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return call(app, 'POST', '/imports', { key, body, headers });
}

export function importLinks(app: App, company: Pick<Company, 'key'>, links: string[], idempotencyKey?: string) {
  const files = links.map((url) => ({ url }));
  return startImport(app, company, { source: 'cloud_files', files, unlock_doc: false }, idempotencyKey);
}

export function importIds(
  app: App,
  company: Pick<Company, 'key'>,
  ids: string[],
  { token = 'good-token', idempotencyKey }: { token?: string; idempotencyKey?: string } = {},
) {
  const files = ids.map((id) => ({ id }));
  const body = { source: 'cloud_drive', access_token: token, files, unlock_doc: false };
  return startImport(app, company, body, idempotencyKey);
}
