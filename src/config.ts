import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { OperatorError } from './errors.ts';
import { readSecretFiles, withoutSecrets } from './secret-files.ts';
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts';

export type Role = 'all' | 'web' | 'worker';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Every setting of contract.md that this service reads, checked and with its defaults filled in. */
export interface Config {
  host: string;
  port: number;
  /** Where Prometheus reads `/metrics`. Null: on `port`, from this machine only. */
  metrics: { host: string; port: number } | null;
  /** Origin such as `https://sign.example.com`, without a trailing slash. Null: no redirect, links use HOST:PORT. */
  publicUrl: string | null;
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  role: Role;
  filesUrl: string;
  s3: S3Settings;
  /** 32 bytes. Null: generated in `dataDir`. */
  secretKey: Buffer | null;
  /** What it was before: still read, never written with. */
  previousSecretKey: Buffer | null;
  smtpUrl: string | null;
  mailFrom: string;
  smsUrl: string | null;
  docsUrl: string | null;
  plansFile: string | null;
  bodyBytesMax: number;
  ipRequestsPerMinute: number;
  trustProxy: string[];
  idempotencyTtlHours: number;
  /** Days from the request to reminder 1, from that to 2, …; as many reminders as entries. */
  reminderDays: number[];
  /** Seconds after failure 1, 2, …; one more failure and the delivery is dead. */
  webhookRetryDelaysSeconds: number[];
  webhookTimeoutMs: number;
  /** Endpoints may be http and on private or loopback addresses: development and tests only. */
  webhookAllowPrivate: boolean;
  /** False: nobody imports from a cloud drive or a file store. */
  importsCloudEnabled: boolean;
  /** The sources of imports may be http and on private or loopback addresses: development and tests only. */
  importsAllowPrivate: boolean;
  /** Root of the Drive v3 API, such as `https://www.googleapis.com/drive/v3`, without a trailing slash. */
  driveApiUrl: string;
  /** `host` or `host:port` whose links are the file store's. Null: Dropbox's. */
  cloudFilesHosts: string[] | null;
  /** The proxy for webhooks and imports, with its user name and password. */
  outboundProxyUrl: string | null;
  /** The e-signature vendor's OAuth server, and as whom it knows us. */
  esign: EsignSettings;
  signingCertificate: { file: string; password: string } | null;
  /** The key that seals, where it isn't in the file of `signingCertificate`. */
  signingKey: SigningKeySettings | null;
  tsaUrl: string | null;
  /** Path of a PEM file with the certificates of trusted time-stamp authorities. Null: no time-stamp is trusted. */
  tsaTrustFile: string | null;
  /** Null: no traces. */
  tracing: TracingSettings | null;
  logLevel: LogLevel;
}

/** The key that seals, where it isn't a file. */
export interface SigningKeySettings {
  /** `SIGNING_KEY`. */
  uri: string;
  /** `SIGNING_KEY_PIN`. */
  pin: string | null;
  /** The environment without the service's own secrets: hardware modules and cloud providers have variables of their own. */
  environment: Record<string, string | undefined>;
  aws: AwsSettings;
}

export interface AwsSettings {
  accessKeyId: string | null;
  secretAccessKey: string | null;
  sessionToken: string | null;
  region: string | null;
}

export interface EsignSettings {
  /** Such as `https://account.docusign.com/oauth`, without a trailing slash. */
  oauthUrl: string;
  /** It is on this machine, and so may be what it tells us to call: development and tests only. */
  allowsLocal: boolean;
  /** Null: nobody can connect an account there. */
  client: { id: string; secret: string } | null;
}

export interface S3Settings extends AwsSettings {
  endpoint: string | null;
}

export type Environment = Record<string, string | undefined>;

/** `process.env`, after what a `.env` file in the working directory adds: the environment wins. */
export function processEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** Secrets may also come from files (`NAME_FILE`). Throws an `OperatorError` that names the first bad setting. */
export function readConfig(env: Environment): Config {
  const complete = readSecretFiles(env);
  const setting = reader(complete);
  const dataDir = resolve(setting.text('DATA_DIR') ?? './data');
  const publicUrl = setting.origin('PUBLIC_URL');
  const importsAllowPrivate = setting.boolean('IMPORTS_ALLOW_PRIVATE', false);
  return {
    host: setting.text('HOST') ?? '127.0.0.1',
    port: setting.integer('PORT', 3000, 0, 65_535),
    metrics: metrics(setting),
    publicUrl,
    dataDir,
    databaseUrl: setting.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    role: setting.choice('ROLE', ['all', 'web', 'worker'], 'all'),
    filesUrl: setting.url('FILES_URL', ['file:', 's3:']) ?? `file:${dataDir}/files`,
    s3: {
      ...aws(setting),
      endpoint: setting.url('S3_ENDPOINT', ['http:', 'https:']),
    },
    secretKey: setting.secretKey('SECRET_KEY'),
    previousSecretKey: setting.secretKey('SECRET_KEY_PREVIOUS'),
    smtpUrl: setting.url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom:
      setting.text('MAIL_FROM') ??
      `Countersign <no-reply@${publicUrl === null ? 'localhost' : new URL(publicUrl).hostname}>`,
    smsUrl: setting.text('SMS_URL'),
    docsUrl: setting.url('DOCS_URL', ['http:', 'https:']),
    plansFile: setting.text('PLANS_FILE'),
    bodyBytesMax: setting.integer('MAX_BODY_BYTES', 1_048_576, 1, 1_073_741_824),
    ipRequestsPerMinute: setting.integer('IP_REQUESTS_PER_MINUTE', 3000, 1, 1_000_000_000),
    trustProxy: setting.addresses('TRUST_PROXY'),
    idempotencyTtlHours: setting.integer('IDEMPOTENCY_TTL_HOURS', 24, 1, 8760),
    reminderDays: reminderDays(setting),
    webhookRetryDelaysSeconds: setting.integers('WEBHOOK_RETRY_DELAYS', [60, 300, 1800, 7200, 43_200], 0, 31_536_000),
    webhookTimeoutMs: setting.integer('WEBHOOK_TIMEOUT_MS', 10_000, 1, 600_000),
    webhookAllowPrivate: setting.boolean('WEBHOOK_ALLOW_PRIVATE', false),
    importsCloudEnabled: setting.boolean('IMPORTS_CLOUD_ENABLED', true),
    importsAllowPrivate,
    driveApiUrl: driveApiUrl(setting, importsAllowPrivate),
    cloudFilesHosts: setting.hosts('CLOUD_FILES_HOSTS'),
    outboundProxyUrl: outboundProxyUrl(setting),
    esign: esign(setting),
    signingCertificate: signingCertificate(setting),
    signingKey: signingKey(setting, env),
    tsaUrl: setting.url('TSA_URL', ['http:', 'https:']),
    tsaTrustFile: setting.path('TSA_TRUST_FILE'),
    tracing: readTracingSettings(complete),
    logLevel: setting.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  };
}

function metrics(setting: ReturnType<typeof reader>): Config['metrics'] {
  const host = setting.text('METRICS_HOST') ?? '127.0.0.1';
  if (setting.text('METRICS_PORT') === null) return null;
  return { host, port: setting.integer('METRICS_PORT', 0, 1, 65_535) };
}

const integersMax = 100;

/** `none` rather than an empty value, which counts as unset. */
function reminderDays(setting: ReturnType<typeof reader>): number[] {
  const isOff = setting.text('REMINDER_DAYS') === 'none';
  return isOff ? [] : setting.integers('REMINDER_DAYS', [3, 7, 7, 7, 7], 1, 365, { countMax: 20, or: ', or none' });
}

const driveApiPath = '/drive/v3';

/** The address of the API's host is enough: its path is the same everywhere. */
function driveApiUrl(setting: ReturnType<typeof reader>, allowPrivate: boolean): string {
  const given = setting.url('DRIVE_API_URL', ['http:', 'https:']) ?? 'https://www.googleapis.com';
  const url = new URL(given);
  if (url.protocol === 'http:' && !allowPrivate) {
    throw bad('DRIVE_API_URL', 'must start with https: unless IMPORTS_ALLOW_PRIVATE is true');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw bad('DRIVE_API_URL', 'must have no user name, password, query or fragment');
  }
  const root = url.origin + url.pathname.replace(/\/+$/, '');
  return root.endsWith(driveApiPath) ? root : root + driveApiPath;
}

function outboundProxyUrl(setting: ReturnType<typeof reader>): string | null {
  const given = setting.url('OUTBOUND_PROXY_URL', ['http:', 'https:']);
  if (given === null) return null;
  const { pathname, search, hash, username, password } = new URL(given);
  const isBare = pathname === '/' && search === '' && hash === '';
  if (!isBare || !isPercentEncoded(username) || !isPercentEncoded(password)) {
    throw bad('OUTBOUND_PROXY_URL', 'must look like http://user:password@proxy.example.com:3128, without a path');
  }
  return given;
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
function esign(setting: ReturnType<typeof reader>): EsignSettings {
  const url = new URL(setting.url('ESIGN_OAUTH_URL', ['http:', 'https:']) ?? 'https://account.docusign.com');
  const allowsLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !allowsLocal) {
    throw bad('ESIGN_OAUTH_URL', 'must start with https: unless it is on this machine');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw bad('ESIGN_OAUTH_URL', 'must have no user name, password, query or fragment');
  }
  const root = url.origin + url.pathname.replace(/\/+$/, '');
  const [id, secret] = [setting.text('ESIGN_CLIENT_ID'), setting.text('ESIGN_CLIENT_SECRET')];
  if (id !== null && secret === null) throw bad('ESIGN_CLIENT_SECRET', 'must be set when ESIGN_CLIENT_ID is');
  if (id === null && secret !== null) throw bad('ESIGN_CLIENT_ID', 'must be set when ESIGN_CLIENT_SECRET is');
  return {
    oauthUrl: root.endsWith(oauthPath) ? root : root + oauthPath,
    allowsLocal,
    client: id === null || secret === null ? null : { id, secret },
  };
}

function signingCertificate(setting: ReturnType<typeof reader>): Config['signingCertificate'] {
  const file = setting.text('SIGNING_CERT_FILE');
  return file === null ? null : { file: resolve(file), password: setting.text('SIGNING_CERT_PASSWORD') ?? '' };
}

function signingKey(setting: ReturnType<typeof reader>, env: Environment): SigningKeySettings | null {
  const [uri, pin] = [setting.text('SIGNING_KEY'), setting.text('SIGNING_KEY_PIN')];
  if (uri === null) {
    if (pin !== null) throw bad('SIGNING_KEY', 'must be set when SIGNING_KEY_PIN is');
    return null;
  }
  if (setting.text('SIGNING_CERT_FILE') === null) throw bad('SIGNING_CERT_FILE', 'must be set when SIGNING_KEY is');
  return { uri, pin, environment: withoutSecrets(env), aws: aws(setting) };
}

function aws(setting: ReturnType<typeof reader>): SigningKeySettings['aws'] {
  return {
    accessKeyId: setting.text('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting.text('AWS_SECRET_ACCESS_KEY'),
    sessionToken: setting.text('AWS_SESSION_TOKEN'),
    region: setting.text('AWS_REGION') ?? setting.text('AWS_DEFAULT_REGION'),
  };
}

function reader(env: Environment) {
  /** An empty value counts as unset: that is what an empty line in a `.env` or compose file means. */
  const text = (name: string): string | null => {
    const value = env[name];
    return value === undefined || value === '' ? null : value;
  };

  return {
    text,

    path(name: string): string | null {
      const value = text(name);
      return value === null ? null : resolve(value);
    },

    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === null) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max)) throw bad(name, `must be a whole number from ${min} to ${max}`);
      return number;
    },

    integers(
      name: string,
      fallback: number[],
      min: number,
      max: number,
      { countMax = integersMax, or = '' } = {},
    ): number[] {
      const value = text(name);
      if (value === null) return fallback;
      const numbers = value.split(',').map((entry) => (/^ *\d+ *$/.test(entry) ? Number(entry) : Number.NaN));
      const isGood = numbers.length <= countMax && numbers.every((number) => number >= min && number <= max);
      if (!isGood)
        throw bad(name, `must be at most ${countMax} whole numbers from ${min} to ${max} with commas between${or}`);
      return numbers;
    },

    boolean(name: string, fallback: boolean): boolean {
      const value = text(name);
      if (value === null) return fallback;
      if (value !== 'true' && value !== 'false') throw bad(name, 'must be true or false');
      return value === 'true';
    },

    choice<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
      const value = text(name);
      if (value === null) return fallback;
      const found = allowed.find((choice) => choice === value);
      if (found === undefined) throw bad(name, `must be one of ${allowed.join(', ')}`);
      return found;
    },

    url(name: string, protocols: string[]): string | null {
      const value = text(name);
      if (value === null) return null;
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        throw bad(name, `must be a URL starting with ${protocols.join(' or ')}`);
      }
      return value;
    },

    origin(name: string): string | null {
      const value = text(name);
      if (value === null) return null;
      const url = URL.canParse(value) ? new URL(value) : null;
      const isOrigin =
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        url.pathname === '/' &&
        !url.search &&
        !url.hash &&
        !url.username;
      if (!isOrigin) throw bad(name, 'must be an origin such as https://sign.example.com, without a path');
      return url.origin;
    },

    secretKey(name: string): Buffer | null {
      const value = text(name);
      if (value === null) return null;
      const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
      if (bytes.length !== 32) throw bad(name, 'must be 32 bytes in base64, such as `openssl rand -base64 32` prints');
      return bytes;
    },

    hosts(name: string): string[] | null {
      const value = text(name);
      if (value === null) return null;
      return value.split(',').map((entry) => {
        const host = entry
          .trim()
          .toLowerCase()
          .replace(/:(?:80|443)$/, '');
        // What a URL makes of it is what links are compared with.
        if (URL.parse(`http://${host}`)?.host === host) return host;
        throw bad(name, 'must be hosts, such as files.example.com or 127.0.0.1:9000, with commas between');
      });
    },

    addresses(name: string): string[] {
      const list = (text(name) ?? '').split(',').map((entry) => entry.trim());
      const entries = list.filter((entry) => entry !== '');
      for (const entry of entries) {
        if (!isAddressOrRange(entry)) throw bad(name, `"${entry}" is not an IP address or CIDR range`);
      }
      return entries;
    },
  };
}

function isAddressOrRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  // A range of all addresses would let anybody say where a request comes from.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}

function bad(name: string, rule: string): OperatorError {
  return new OperatorError(`bad setting ${name}: it ${rule}`);
}
