import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import type { KeyMode } from '../../keys/api-key.ts';
import { type ApiKey, issueKey, listKeys, type NewKey, revokeKey } from '../../keys/manage-keys.ts';
import { type Scope, scopes } from '../../keys/scopes.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { instantOf, oneOf, scopesOf, textOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';
import { findCompany } from './find-company.ts';

const nameLengthMax = 100;
const modes = ['live', 'test'] as const;

interface CreateOptions {
  account: string;
  mode: KeyMode;
  scopes?: readonly Scope[];
  name?: string;
  expiresAt?: Timestamp;
  legacy?: boolean;
}

export function define(key: Command): void {
  key
    .command('create')
    .description('issue an API key; the key is shown only once')
    .requiredOption('--account <id>', 'the company it belongs to')
    .requiredOption('--mode <mode>', 'live, or test: documents sent with it deliver nothing', oneOf('--mode', modes))
    .option('--scopes <list>', `all, or a comma-separated list of ${scopes.join(',')}`, scopesOf)
    .option('--name <name>', 'to tell keys apart', textOf('--name', nameLengthMax))
    .option(
      '--expires-at <time>',
      'RFC 3339 with its zone; without it the key does not expire',
      instantOf('--expires-at'),
    )
    .option('--legacy', 'a key issued before scopes existed: read-only, whatever --scopes says')
    .action(async (options: CreateOptions, command: Command) => {
      const newKey = newKeyOf(options);
      const issued = await withDatabase(async ({ world, db }) => {
        await findCompany(db, newKey.accountId);
        const key = await db.transaction((tx) => issueKey(world, tx, newKey, null));
        if (key === null) throw new Refusal('the account was removed: it gets no new keys');
        return key;
      });
      answer(command, { ...keyJson(issued), key: issued.key }, (shown) => `${card(shown)}\n${keepIt}\n`);
    });

  key
    .command('list')
    .description("list a company's keys")
    .requiredOption('--account <id>', 'the company')
    .action(async ({ account }: { account: string }, command: Command) => {
      const keys = await withDatabase(async ({ db }) => {
        await findCompany(db, account);
        return listKeys(db, account);
      });
      answer(command, keys.map(keyJson), (rows) => table(rows.map(keyRow), 'no keys'));
    });

  key
    .command('revoke <id>')
    .description('revoke a key permanently; takes effect with the next request')
    .action(async (id: string, _options, command: Command) => {
      const revoked = await withDatabase(({ world, db }) =>
        byId('key', id, () => db.transaction((tx) => revokeKey(world, tx, id, null))),
      );
      answer(command, keyJson(revoked), card);
    });
}

const keepIt = 'Keep the key now: it is not shown again.';

function newKeyOf({ account, mode, scopes, name, expiresAt, legacy = false }: CreateOptions): NewKey {
  if (scopes === undefined && !legacy) throw new UsageError('--scopes is required: all, or a comma-separated list');
  return {
    accountId: account,
    mode,
    scopes: scopes ?? [],
    name: name ?? null,
    expiresAt: expiresAt ?? null,
    legacy,
  };
}

function keyJson(key: ApiKey) {
  const { id, name, mode, scopes, created_at, expires_at, revoked_at, last_used_at, hint } = key;
  return { id, name, mode, scopes, created_at, expires_at, revoked_at, last_used_at, hint };
}

function keyRow({ name, scopes: granted, ...rest }: ReturnType<typeof keyJson>) {
  return { ...rest, scopes: granted.length === scopes.length ? 'all' : granted.join(','), name };
}
