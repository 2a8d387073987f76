import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { CreateDocument, Document, NewRecipient, Recipient } from '../../../packages/client/src/index.ts';
import { type DocumentStatus, documentStatuses } from '../../documents/document.ts';
import { documentStatusesOf, positiveInteger, UsageError } from '../core/arguments.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { assertWritable, saveStream } from '../core/save-stream.ts';
import { answer, card, remark, table, wantsJson } from '../core/terminal.ts';
import { offerProfile, withClient } from './api-command.ts';
import type { ConnectionOptions } from './connection.ts';
import { takeAtMost } from './take-at-most.ts';

interface CreateOptions extends ConnectionOptions {
  title?: string;
  to?: NewRecipient[];
  message?: string;
  inOrder?: boolean;
  send?: boolean;
  idempotencyKey?: string;
}

interface SendOptions extends ConnectionOptions {
  idempotencyKey?: string;
}

interface ListOptions extends ConnectionOptions {
  status?: readonly DocumentStatus[];
  limit: number;
}

interface DownloadOptions extends ConnectionOptions {
  out: string;
  force?: boolean;
}

export function define(documents: Command): void {
  const verb = (usage: string, description: string) => offerProfile(documents.command(usage).description(description));

  verb(
    'create [document.json]',
    'create a draft: from the body of POST /documents (- for standard input), or from options',
  )
    .option('--title <text>', 'the title, without a file')
    .option('--to <recipient>', 'a signer, such as "Ada Lovelace <ada@example.com>"; repeat it for more', recipients)
    .option('--message <text>', 'a message to the recipients')
    .option(
      '--in-order',
      'ask each signer after the one before has signed, in the order of --to; without it, all at once',
    )
    .option('--send', 'send it at once')
    .option('--idempotency-key <key>', 'repeat the command with the same key without creating a second document')
    .action(async (path: string | undefined, options: CreateOptions, command: Command) => {
      const body = await bodyOf(path, options);
      // One key for both requests, so that the command can be repeated after either of them failed.
      const { idempotencyKey = randomUUID(), send = false } = options;
      const created = await withClient(options, async (client) => {
        const draft = await client.documents.create(body, { idempotencyKey });
        if (!send) return draft;
        remark(`created ${draft.id}`);
        return client.documents.send(draft.id, { idempotencyKey });
      });
      answer(command, created, card);
    });

  verb('list', 'list documents, newest first')
    .option('--status <list>', `only these statuses: ${documentStatuses.join(',')}`, documentStatusesOf)
    .option('--limit <n>', 'maximum number of results', positiveInteger('--limit'), 20)
    .action(async ({ status, limit, ...options }: ListOptions, command: Command) => {
      const filter = status === undefined ? {} : { status };
      const found = await withClient(options, (client) =>
        takeAtMost(limit, (size) => client.documents.list({ ...filter, limit: size })),
      );
      answer(command, found, (shown) => table(shown.map(documentRow), 'no documents'));
    });

  verb('get <id>', 'show a document').action(async (id: string, options: ConnectionOptions, command: Command) => {
    answer(command, await withClient(options, (client) => client.documents.get(id)), card);
  });

  verb('send <id>', 'send a draft to its recipients; a test key delivers no e-mail or SMS')
    .option('--idempotency-key <key>', 'repeat the command with the same key and get the same answer')
    .action(async (id: string, { idempotencyKey, ...options }: SendOptions, command: Command) => {
      const write = idempotencyKey === undefined ? {} : { idempotencyKey };
      answer(command, await withClient(options, (client) => client.documents.send(id, write)), card);
    });

  verb('recipients <id>', 'list the recipients of a document, in signing order').action(
    async (id: string, options: ConnectionOptions, command: Command) => {
      const found = await withClient(options, (client) => client.documents.recipients(id));
      answer(command, found, (shown) => table(shown.map(recipientRow), 'no recipients'));
    },
  );

  verb('download <id>', 'save the sealed PDF of a completed document')
    .requiredOption('--out <file>', 'where to; - is standard output')
    .option('--force', 'replace an existing file')
    .action(async (id: string, { out, force = false, ...options }: DownloadOptions, command: Command) => {
      const toStdout = out === '-';
      if (toStdout && wantsJson(command)) throw new UsageError('--out - and --json both want standard output');
      if (toStdout && process.stdout.isTTY) throw new UsageError('--out - needs a pipe or a file, not a terminal');
      if (!toStdout) await assertWritable(out, force);
      const bytes = await withClient(options, (client) => client.documents.pdf(id));
      // An array, because a Readable made from bytes alone would emit them one by one.
      const content = Readable.from([Buffer.from(bytes)]);
      if (toStdout) await pipeline(content, process.stdout, { end: false });
      else answer(command, { id, out, ...(await saveStream(content, out, force)) }, card);
    });
}

/** The server checks the body, so that its errors name the field at fault. */
async function bodyOf(
  path: string | undefined,
  { title, to, message, inOrder }: CreateOptions,
): Promise<CreateDocument> {
  const hasOptions = [title, to, message, inOrder].some((option) => option !== undefined);
  if (path !== undefined && hasOptions) {
    throw new UsageError('give a file, or --title, --to, --message and --in-order, not both');
  }
  if (path !== undefined) return (await readJsonFile(path)) as CreateDocument;
  if (title === undefined || to === undefined) throw new UsageError('give a file, or --title and at least one --to');
  const content: CreateDocument['content'] = {
    ...(message === undefined ? {} : { message }),
    ...(inOrder ? { sign_order_mode: 'sequential' } : {}),
  };
  return { title, recipients: to, content };
}

/** Reads `Name <address>`. The name may be in quotation marks, as in an e-mail header. */
function recipients(value: string, before: NewRecipient[] = []): NewRecipient[] {
  const [, given = '', email = ''] = /^\s*([^<>]*[^<>\s])\s*<([^<>\s]+)>\s*$/.exec(value) ?? [];
  const name = given.replace(/^"(.*)"$/, '$1').trim();
  if (name === '') {
    throw new UsageError(
      '--to must be one name and address, such as "Ada Lovelace <ada@example.com>". Repeat it for more recipients',
    );
  }
  return [...before, { name, email, sign_order: before.length + 1 }];
}

function documentRow({ id, status, type, recipient_count, created_at, title }: Document) {
  return { id, status, type, recipients: recipient_count, created_at, title };
}

function recipientRow({ id, sign_order, channel, status, party_role, display_name }: Recipient) {
  return { id, sign_order, channel, status, role: party_role, name: display_name };
}
