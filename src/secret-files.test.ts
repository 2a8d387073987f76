import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { secretSettings } from './secret-files.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const key = Buffer.alloc(32, 7).toString('base64');
const samples: Record<(typeof secretSettings)[number], string> = {
  DATABASE_URL: 'postgres://user:secret@db.example/countersign',
  DATABASE_DIRECT_URL: 'postgres://user:secret@db-1.example/countersign',
  SECRET_KEY: key,
  SECRET_KEY_PREVIOUS: key,
  SMTP_URL: 'smtps://user:secret@mail.example',
  SMS_URL: 'twilio://AC0:secret@+15550100',
  TSA_URL: 'https://user:secret@tsa.example/',
  SIGNING_CERT_PASSWORD: ' a password with spaces ',
  SIGNING_KEY_PIN: '0000',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
  AZURE_CLIENT_SECRET: 'secret',
  OUTBOUND_PROXY_URL: 'http://user:secret@proxy.example:3128',
  ESIGN_CLIENT_ID: 'client',
  ESIGN_CLIENT_SECRET: 'secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
};

test('every secret setting reads the same from a file as from the environment', () => {
  const others = {
    SIGNING_CERT_FILE: join(directory, 'certificate.p12'),
    SIGNING_KEY: 'pkcs11:token=t;object=o',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  };
  const fromFiles = Object.fromEntries(
    secretSettings.map((name) => {
      const file = join(directory, name);
      writeFileSync(file, `${samples[name]}\n`);
      return [`${name}_FILE`, file];
    }),
  );
  expect(readConfig({ ...others, ...fromFiles })).toEqual(readConfig({ ...others, ...samples }));
});

test('an empty NAME_FILE counts as unset', () => {
  expect(readConfig({ SMTP_URL_FILE: '', SMTP_URL: samples.SMTP_URL }).smtpUrl).toBe(samples.SMTP_URL);
});
