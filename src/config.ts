import { resolve } from 'node:path';
import {
  readAws,
  readDatabase,
  readDocsUrl,
  readDriveApiUrl,
  readEsign,
  readMetrics,
  readOutboundProxyUrl,
  readReminderDays,
  readSigningCertificate,
  readSigningKey,
  readSmsUrl,
  readTsaUrl,
} from './config/composed-settings.ts';
import { addEnvFile } from './config/env-file.ts';
import { readRetention } from './config/retention-settings.ts';
import { createSettingReader, type Environment } from './config/setting-reader.ts';
import type {
  EsignSettings,
  MetricsSettings,
  RetentionSettings,
  S3Settings,
  SigningCertificateSettings,
  SigningKeySettings,
} from './config/settings.ts';
import { readSecretFiles } from './secret-files.ts';
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts';

export type Role = 'all' | 'web' | 'worker';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** All settings, checked and with defaults. `docs/operate/configure.md` describes them. */
export interface Config {
  host: string;
  port: number;
  /** Where Prometheus reads `/metrics`. Null: on `port`, from this machine only. */
  metrics: MetricsSettings | null;
  /** Origin such as `https://sign.example.com`, without a trailing slash. Null: no redirect, links use HOST:PORT. */
  publicUrl: string | null;
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** The same database without a pooler. Null: `databaseUrl` has none. */
  databaseDirectUrl: string | null;
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
  retention: RetentionSettings;
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
  /** Identity providers of companies may be http and on private or loopback addresses. */
  ssoAllowPrivate: boolean;
  /** The proxy for webhooks, imports and identity providers, with its user name and password. */
  outboundProxyUrl: string | null;
  /** The e-signature vendor's OAuth server, and as whom it knows us. */
  esign: EsignSettings;
  signingCertificate: SigningCertificateSettings | null;
  /** The key that seals, where it isn't in the file of `signingCertificate`. */
  signingKey: SigningKeySettings | null;
  tsaUrl: string | null;
  /** Path of a PEM file with the certificates of trusted time-stamp authorities. Null: no time-stamp is trusted. */
  tsaTrustFile: string | null;
  /** Null: no traces. */
  tracing: TracingSettings | null;
  logLevel: LogLevel;
}

/**
 * `process.env`, with what a `.env` file in the working directory adds, or the file that COUNTERSIGN_ENV_FILE names. The command
 * for systemd sets it, because it runs in any directory. `onConcern` gets a sentence for each line of the file that is probably
 * not read as it was meant. Throws an `OperatorError` if the file can't be read.
 */
export function processEnvironment(onConcern?: (concern: string) => void): Environment {
  addEnvFile(process.env, process.env.COUNTERSIGN_ENV_FILE || '.env', onConcern);
  return process.env;
}

/**
 * `process.env` alone, for commands that call the API of a server: the `.env` file of a directory that somebody else wrote must
 * not choose where keys and documents go.
 */
export function clientEnvironment(): Environment {
  return process.env;
}

/** Secrets may also come from files (`NAME_FILE`). Throws an `OperatorError` that names the first bad setting. */
export function readConfig(env: Environment): Config {
  const complete = readSecretFiles(env);
  const setting = createSettingReader(complete);
  const dataDir = resolve(setting.text('DATA_DIR') ?? './data');
  const publicUrl = setting.origin('PUBLIC_URL');
  const importsAllowPrivate = setting.boolean('IMPORTS_ALLOW_PRIVATE', false);
  const [host, port] = [setting.text('HOST') ?? '127.0.0.1', setting.integer('PORT', 3000, 0, 65_535)];
  const role = setting.choice('ROLE', ['all', 'web', 'worker'], 'all');
  return {
    host,
    port,
    metrics: readMetrics(setting, role === 'worker' ? null : { host, port }),
    publicUrl,
    dataDir,
    ...readDatabase(setting),
    role,
    filesUrl: setting.url('FILES_URL', ['file:', 's3:']) ?? `file:${dataDir}/files`,
    s3: {
      ...readAws(setting),
      endpoint: setting.url('S3_ENDPOINT', ['http:', 'https:']),
    },
    secretKey: setting.secretKey('SECRET_KEY'),
    previousSecretKey: setting.secretKey('SECRET_KEY_PREVIOUS'),
    smtpUrl: setting.url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom:
      setting.text('MAIL_FROM') ??
      `Countersign <no-reply@${publicUrl === null ? 'localhost' : new URL(publicUrl).hostname}>`,
    smsUrl: readSmsUrl(setting),
    docsUrl: readDocsUrl(setting),
    plansFile: setting.text('PLANS_FILE'),
    bodyBytesMax: setting.integer('MAX_BODY_BYTES', 1_048_576, 1, 1_073_741_824),
    ipRequestsPerMinute: setting.integer('IP_REQUESTS_PER_MINUTE', 3000, 1, 1_000_000_000),
    trustProxy: setting.addresses('TRUST_PROXY'),
    idempotencyTtlHours: setting.integer('IDEMPOTENCY_TTL_HOURS', 24, 1, 8760),
    retention: readRetention(setting),
    reminderDays: readReminderDays(setting),
    webhookRetryDelaysSeconds: setting.integers('WEBHOOK_RETRY_DELAYS', [60, 300, 1800, 7200, 43_200], 0, 31_536_000),
    webhookTimeoutMs: setting.integer('WEBHOOK_TIMEOUT_MS', 10_000, 1, 600_000),
    webhookAllowPrivate: setting.boolean('WEBHOOK_ALLOW_PRIVATE', false),
    importsCloudEnabled: setting.boolean('IMPORTS_CLOUD_ENABLED', true),
    importsAllowPrivate,
    driveApiUrl: readDriveApiUrl(setting, importsAllowPrivate),
    cloudFilesHosts: setting.hosts('CLOUD_FILES_HOSTS'),
    ssoAllowPrivate: setting.boolean('SSO_ALLOW_PRIVATE', false),
    outboundProxyUrl: readOutboundProxyUrl(setting),
    esign: readEsign(setting),
    signingCertificate: readSigningCertificate(setting),
    signingKey: readSigningKey(setting, env),
    tsaUrl: readTsaUrl(setting),
    tsaTrustFile: setting.path('TSA_TRUST_FILE'),
    tracing: readTracingSettings(complete),
    logLevel: setting.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  };
}
