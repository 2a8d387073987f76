import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Countersign, Import, ImportItem, ImportStatus, StartImport } from '../../../packages/client/src/index.ts';
import type { ImportJson } from '../../imports/json.ts';
import { oneOf, positiveInteger } from '../core/arguments.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { answer, card, table } from '../core/terminal.ts';
import { showProgress } from '../import/import-progress.ts';
import { offerProfile, withClient } from './api-command.ts';
import type { ConnectionOptions } from './connection.ts';
import { takeAtMost } from './take-at-most.ts';

interface StartOptions extends ConnectionOptions {
  wait?: boolean;
  idempotencyKey?: string;
}

interface ListOptions extends ConnectionOptions {
  status?: ImportStatus;
  limit: number;
}

const pollMs = 2000;

export function define(imports: Command): void {
  const verb = (usage: string, description: string) => offerProfile(imports.command(usage).description(description));

  verb('start <import.json>', 'start an import from the body of POST /imports; - reads standard input')
    .option('--wait', 'show the progress until the import ends')
    .option('--idempotency-key <key>', 'repeat the command with the same key without starting a second import')
    .action(async (path: string, { wait = false, idempotencyKey, ...options }: StartOptions, command: Command) => {
      const body = (await readJsonFile(path)) as StartImport;
      const started = await withClient(options, async (client) => {
        const { items: _items, ...row } = await client.imports.start(body, {
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        return wait ? watched(client, row) : row;
      });
      answer(command, started, card);
    });

  verb('list', 'list imports, newest first')
    .option('--status <status>', 'running or finished', oneOf('--status', ['running', 'finished']))
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), 20)
    .action(async ({ status, limit, ...options }: ListOptions, command: Command) => {
      const filter = status === undefined ? {} : { status };
      const found = await withClient(options, (client) =>
        takeAtMost(limit, (size) => client.imports.list({ ...filter, limit: size })),
      );
      answer(command, found, (shown) => table(shown.map(importRow), 'no imports'));
    });

  verb('get <id>', 'show the counts of an import')
    .option('--wait', 'show the progress until the import ends')
    .action(async (id: string, { wait = false, ...options }: StartOptions, command: Command) => {
      const found = await withClient(options, async (client) => {
        const row = await client.imports.get(id);
        return wait ? watched(client, row) : row;
      });
      answer(command, found, card);
    });

  verb('items <id>', 'list the files of an import with their outcome, oldest first')
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), 1000)
    .action(async (id: string, { limit, ...options }: ListOptions, command: Command) => {
      const found = await withClient(options, (client) =>
        takeAtMost(limit, (size) => client.imports.items(id, { limit: size })),
      );
      answer(command, found, (shown) => table(shown.map(itemRow), 'no files'));
    });
}

async function watched(client: Countersign, started: Import): Promise<Import> {
  const progress = showProgress(process.stderr);
  let row = started;
  try {
    for (;;) {
      progress.update(row as ImportJson);
      if (row.status === 'finished') return row;
      await sleep(pollMs);
      row = await client.imports.get(row.id);
    }
  } finally {
    progress.end();
  }
}

function importRow({ id, source, status, filed, failed, remaining, created_at }: Import) {
  return { id, source, status, filed, failed, remaining, created_at };
}

function itemRow({ status, reason, document_id, duplicate, name }: ImportItem) {
  return { status, reason, document_id, duplicate, name };
}
