import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasTool } from '../support/tools.ts';

export const canUseTokens = hasTool('softhsm2-util') && hasTool('pkcs11-tool');

const modules = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/softhsm/libsofthsm2.so', '/usr/lib64/libsofthsm2.so'];

/** A hardware module in software: SoftHSM2 with one token in its own directory. */
export interface SoftToken {
  modulePath: string;
  /** Environment variables with which the module finds its token. */
  environment: Record<string, string>;
  directory: string;
  /** `key` in PKCS#8, PEM. `id` in hex. */
  addKey(key: string | Buffer, label: string, id: string): void;
  remove(): void;
}

export const pin = '1234';
export const tokenLabel = 'seal token';

export function createSoftToken(): SoftToken {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-token-'));
  const settings = join(directory, 'softhsm2.conf');
  mkdirSync(join(directory, 'tokens'));
  writeFileSync(settings, `directories.tokendir = ${join(directory, 'tokens')}\n`);
  const environment = { SOFTHSM2_CONF: settings };
  const run = (...args: string[]) =>
    execFileSync('softhsm2-util', args, { env: { ...process.env, ...environment }, stdio: 'pipe' });
  run('--init-token', '--free', '--label', tokenLabel, '--pin', pin, '--so-pin', '5678');
  return {
    modulePath: modules.find((path) => existsSync(path)) ?? 'libsofthsm2.so',
    environment,
    directory,
    addKey(key, label, id) {
      const file = join(directory, `${id}.pem`);
      writeFileSync(file, key);
      run('--import', file, '--token', tokenLabel, '--label', label, '--id', id, '--pin', pin);
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
