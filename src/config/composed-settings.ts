import { resolve } from 'node:path';
import { withoutSecrets } from '../secret-files.ts';
import { isThisMachine } from './secure-url.ts';
import { badSetting, type Environment, type SettingReader } from './setting-reader.ts';
import type {
  AwsSettings,
  EsignSettings,
  MetricsSettings,
  SigningCertificateSettings,
  SigningKeySettings,
} from './settings.ts';

/** A direct address says that the other one leads through a pooler. */
export function readDatabase(setting: SettingReader): { databaseUrl: string | null; databaseDirectUrl: string | null } {
  const protocols = ['postgres:', 'postgresql:'];
  const databaseUrl = setting.url('DATABASE_URL', protocols);
  const databaseDirectUrl = setting.url('DATABASE_DIRECT_URL', protocols);
  if (databaseUrl === null && databaseDirectUrl !== null) {
    throw badSetting('DATABASE_URL', 'must be set when DATABASE_DIRECT_URL is');
  }
  return { databaseUrl, databaseDirectUrl };
}

/** `service`: where the service itself listens. Null: it is a worker, which doesn't. */
export function readMetrics(
  setting: SettingReader,
  service: { host: string; port: number } | null,
): MetricsSettings | null {
  const host = setting.text('METRICS_HOST') ?? '127.0.0.1';
  if (setting.text('METRICS_PORT') === null) return null;
  const port = setting.integer('METRICS_PORT', 0, 1, 65_535);
  if (service !== null && port === service.port && overlap(host, service.host)) {
    throw badSetting('METRICS_PORT', 'must be another port than PORT');
  }
  return { host, port };
}

/** Whether a port of one host can't be used on the other too. */
function overlap(host: string, other: string): boolean {
  return host === other || [host, other].some((one) => one === '0.0.0.0' || one === '::');
}

/** Sections of the documentation are linked to with fragments. */
export function readDocsUrl(setting: SettingReader): string | null {
  const given = setting.url('DOCS_URL', ['http:', 'https:']);
  if (given?.includes('#')) throw badSetting('DOCS_URL', 'must have no fragment (#)');
  return given;
}

/** `none` rather than an empty value, which counts as unset. */
export function readReminderDays(setting: SettingReader): number[] {
  const isOff = setting.text('REMINDER_DAYS') === 'none';
  return isOff ? [] : setting.integers('REMINDER_DAYS', [3, 7, 7, 7, 7], 1, 365, { countMax: 20, or: ', or none' });
}

const driveApiPath = '/drive/v3';

/** The address of the API's host is enough: its path is the same everywhere. */
export function readDriveApiUrl(setting: SettingReader, allowPrivate: boolean): string {
  const given = setting.url('DRIVE_API_URL', ['http:', 'https:']) ?? 'https://www.googleapis.com';
  const url = new URL(given);
  if (url.protocol === 'http:' && !allowPrivate) {
    throw badSetting('DRIVE_API_URL', 'must start with https: unless IMPORTS_ALLOW_PRIVATE is true');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badSetting('DRIVE_API_URL', 'must have no user name, password, query or fragment');
  }
  const root = url.origin + url.pathname.replace(/\/+$/, '');
  return root.endsWith(driveApiPath) ? root : root + driveApiPath;
}

export function readOutboundProxyUrl(setting: SettingReader): string | null {
  const given = setting.url('OUTBOUND_PROXY_URL', ['http:', 'https:']);
  if (given === null) return null;
  const { pathname, search, hash, username, password } = new URL(given);
  const isBare = pathname === '/' && search === '' && hash === '';
  if (!isBare || !isPercentEncoded(username) || !isPercentEncoded(password)) {
    throw badSetting(
      'OUTBOUND_PROXY_URL',
      'must look like http://user:password@proxy.example.com:3128, without a path',
    );
  }
  return given;
}

export function readTsaUrl(setting: SettingReader): string | null {
  const given = setting.url('TSA_URL', ['http:', 'https:']);
  return given === null ? null : withCredentials('TSA_URL', given);
}

/** Which providers there are is checked where SMS are sent. */
export function readSmsUrl(setting: SettingReader): string | null {
  const given = setting.text('SMS_URL');
  return given === null || !URL.canParse(given) ? given : withCredentials('SMS_URL', given);
}

/** Returns a URL whose user name, password and host can be decoded. */
function withCredentials(name: string, url: string): string {
  const { username, password, host } = new URL(url);
  if ([username, password, host].every(isPercentEncoded)) return url;
  throw badSetting(name, 'must have each % of its user name and password written as %25');
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const oauthPath = '/oauth';

/** As with the drive's API, the address of the host is enough. */
export function readEsign(setting: SettingReader): EsignSettings {
  const url = new URL(setting.url('ESIGN_OAUTH_URL', ['http:', 'https:']) ?? 'https://account.docusign.com');
  const allowsLocal = isThisMachine(url.hostname);
  if (url.protocol === 'http:' && !allowsLocal) {
    throw badSetting('ESIGN_OAUTH_URL', 'must start with https: unless it is on this machine');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badSetting('ESIGN_OAUTH_URL', 'must have no user name, password, query or fragment');
  }
  const root = url.origin + url.pathname.replace(/\/+$/, '');
  const [id, secret] = [setting.text('ESIGN_CLIENT_ID'), setting.text('ESIGN_CLIENT_SECRET')];
  if (id !== null && secret === null) throw badSetting('ESIGN_CLIENT_SECRET', 'must be set when ESIGN_CLIENT_ID is');
  if (id === null && secret !== null) throw badSetting('ESIGN_CLIENT_ID', 'must be set when ESIGN_CLIENT_SECRET is');
  return {
    oauthUrl: root.endsWith(oauthPath) ? root : root + oauthPath,
    allowsLocal,
    client: id === null || secret === null ? null : { id, secret },
  };
}

export function readSigningCertificate(setting: SettingReader): SigningCertificateSettings | null {
  const file = setting.text('SIGNING_CERT_FILE');
  return file === null ? null : { file: resolve(file), password: setting.text('SIGNING_CERT_PASSWORD') ?? '' };
}

export function readSigningKey(setting: SettingReader, env: Environment): SigningKeySettings | null {
  const [uri, pin] = [setting.text('SIGNING_KEY'), setting.text('SIGNING_KEY_PIN')];
  if (uri === null) {
    if (pin !== null) throw badSetting('SIGNING_KEY', 'must be set when SIGNING_KEY_PIN is');
    return null;
  }
  if (setting.text('SIGNING_CERT_FILE') === null) {
    throw badSetting('SIGNING_CERT_FILE', 'must be set when SIGNING_KEY is');
  }
  const azureClientSecret = setting.text('AZURE_CLIENT_SECRET');
  return { uri, pin, environment: withoutSecrets(env), aws: readAws(setting), azureClientSecret };
}

/** The variables that AWS's own tools read. */
export function readAws(setting: SettingReader): AwsSettings {
  return {
    accessKeyId: setting.text('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting.text('AWS_SECRET_ACCESS_KEY'),
    sessionToken: setting.text('AWS_SESSION_TOKEN'),
    region: setting.text('AWS_REGION') ?? setting.text('AWS_DEFAULT_REGION'),
  };
}
