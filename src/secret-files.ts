import { readFileSync } from 'node:fs';
import { OperatorError } from './errors.ts';

/** Settings that hold a secret. Each can also be given as `NAME_FILE`, the path of a file that holds it. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
  'SMS_URL',
  'TSA_URL',
  'SIGNING_CERT_PASSWORD',
  'SIGNING_KEY_PIN',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AZURE_CLIENT_SECRET',
  'OUTBOUND_PROXY_URL',
  'ESIGN_CLIENT_ID',
  'ESIGN_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

const fileBytesMax = 65_536;

/**
 * Returns a copy of `env` in which each secret setting that is given as a file has that file's content, without the line
 * break at its end. Container platforms mount secrets as files.
 *
 * Throws an `OperatorError` that names the setting when both forms are set, or when the file is missing, empty, larger
 * than 64 KiB or not one line of text.
 */
export function readSecretFiles(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const complete = { ...env };
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (env[name] !== undefined && env[name] !== '') {
      throw new OperatorError(`bad setting ${name}_FILE: ${name} is set too. Set one of them`);
    }
    complete[name] = readSecretFile(`${name}_FILE`, file);
  }
  return complete;
}

/** Returns a copy of `env` for another program, which needs none of our secrets. */
export function withoutSecrets(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const hidden = new Set<string>(secretSettings.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}

function readSecretFile(setting: string, file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new OperatorError(`bad setting ${setting}: cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (bytes.length > fileBytesMax) throw new OperatorError(`bad setting ${setting}: ${file} is larger than 64 KiB`);
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (secret === '') throw new OperatorError(`bad setting ${setting}: ${file} is empty`);
  if (/[\r\n\0]/.test(secret)) throw new OperatorError(`bad setting ${setting}: ${file} must hold one line of text`);
  return secret;
}
