import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { clientEnvironment } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { isLoopbackHost } from '../../http/loopback.ts';
import { answer, card, remark } from '../core/terminal.ts';
import { profileName, withApi } from './api-command.ts';
import { apiAddress, defaultBaseUrl, defaultProfile } from './connection.ts';
import { profilesPath, storeProfile } from './profiles.ts';

interface Options {
  profile: string;
  baseUrl?: string;
}

export function define(login: Command): void {
  login
    .description(
      'check an API key and store it for the commands that call the API; the key is read from standard input',
    )
    .option('--profile <name>', 'the name to store it under', profileName, defaultProfile)
    .option('--base-url <url>', `the address of the server; by default COUNTERSIGN_BASE_URL, or ${defaultBaseUrl}`)
    .action(async ({ profile, baseUrl }: Options, command: Command) => {
      const base_url = apiAddress(baseUrl ?? (clientEnvironment().COUNTERSIGN_BASE_URL || defaultBaseUrl));
      if (isUnencrypted(base_url)) remark(`the key and everything else travels unencrypted to ${base_url}: use https`);
      const connection = { base_url, api_key: await readKey() };
      const account = await withApi(connection, (client) => client.account());
      await storeProfile(profile, connection);
      const { display_name: company, mode, scopes } = account;
      answer(command, { profile, base_url, company, mode, scopes, stored_in: profilesPath() }, card);
    });
}

function isUnencrypted(address: string): boolean {
  const { protocol, host } = new URL(address);
  return protocol === 'http:' && !isLoopbackHost(host);
}

async function readKey(): Promise<string> {
  const key = (process.stdin.isTTY ? await askForKey() : await text(process.stdin)).trim();
  if (key === '') throw new Refusal('no API key was entered: paste one, or pipe it to this command');
  return key;
}

/** Asks without showing what is typed. */
async function askForKey(): Promise<string> {
  process.stderr.write('API key: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  const aborted = new Promise<never>((_resolve, reject) => {
    lines.once('SIGINT', () => reject(new Refusal('no API key was entered')));
    lines.once('close', () => reject(new Refusal('no API key was entered')));
  });
  try {
    return await Promise.race([lines.question(''), aborted]);
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
