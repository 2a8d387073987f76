import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameEmail } from './canonical-email.ts';
import { dialable } from './dialable.ts';

/** A message as stored in its file and as shown by `mailbox list --json`. */
export interface MailboxMessage {
  id: string;
  channel: 'email' | 'sms';
  to: string;
  subject: string | null;
  text: string;
  html: string | null;
  links: string[];
  created_at: string;
}

/** Larger files are ignored: our messages are far smaller. */
const fileBytesMax = 1_048_576;
const filesReadAtOnce = 16;

/**
 * Reads the messages of the mailbox in `dir`, newest first. Needs no running service. Skips files that are not messages
 * or were deleted meanwhile.
 */
export async function listMailbox(
  dir: string,
  filter: { to?: string; limit?: number } = {},
): Promise<MailboxMessage[]> {
  const { to, limit = Number.POSITIVE_INFINITY } = filter;
  const names = messageFiles(await readdir(dir).catch(() => []));
  const found: MailboxMessage[] = [];
  for (let start = 0; start < names.length && found.length < limit; start += filesReadAtOnce) {
    const batch = await Promise.all(names.slice(start, start + filesReadAtOnce).map((name) => readMessage(dir, name)));
    found.push(...batch.filter((message) => message !== null).filter((message) => isFor(message, to)));
  }
  return found.slice(0, limit);
}

/** Returns the ids of all messages, newest first, without reading them. */
export async function listMailboxIds(dir: string): Promise<string[]> {
  return messageFiles(await readdir(dir).catch(() => [])).map((name) => name.slice(0, -'.json'.length));
}

export async function findMailboxMessage(dir: string, id: string): Promise<MailboxMessage | null> {
  return deliveryId.test(id) ? readMessage(dir, fileNameOf(id)) : null;
}

/** Returns false if there is no such message. */
export async function removeMailboxMessage(dir: string, id: string): Promise<boolean> {
  try {
    await rm(join(dir, fileNameOf(id)));
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Ids are UUIDv7, so sorting by name sorts by creation time. */
const deliveryId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function fileNameOf(id: string): string {
  if (!deliveryId.test(id)) throw new TypeError(`a delivery's id must be a UUIDv7, unlike ${id}`);
  return `${id}.json`;
}

/** Returns the creation time of a message from its id. */
export function createdAt(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}

/** Returns the names of message files, newest first. */
export function messageFiles(names: string[]): string[] {
  const messages = names.filter((name) => name.endsWith('.json') && deliveryId.test(name.slice(0, -'.json'.length)));
  return messages.sort().reverse();
}

/** Removes up to `limit` messages that were created before a time. Returns how many. */
export async function removeMailboxMessages(dir: string, before: Date, limit: number): Promise<number> {
  const names = messageFiles(await readdir(dir).catch(() => []));
  const old = names.filter((name) => createdAt(name) < before.toISOString()).slice(-limit);
  for (const name of old) await rm(join(dir, name), { force: true });
  return old.length;
}

/** Returns when the oldest message was created. Null when the mailbox is empty. */
export async function oldestMailboxMessage(dir: string): Promise<Date | null> {
  const oldest = messageFiles(await readdir(dir).catch(() => [])).at(-1);
  return oldest === undefined ? null : new Date(createdAt(oldest));
}

async function readMessage(dir: string, name: string): Promise<MailboxMessage | null> {
  const path = join(dir, name);
  try {
    const file = await lstat(path);
    if (!file.isFile() || file.size > fileBytesMax) return null;
    const message: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isMessage(message) ? message : null;
  } catch {
    return null;
  }
}

/** Checked by hand: a library for schemas would take most of the time of a command that lists messages. */
function isMessage(value: unknown): value is MailboxMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { id, channel, to, subject, text, html, links, created_at } = value as Partial<MailboxMessage>;
  return (
    [id, to, text, created_at].every(isText) &&
    (channel === 'email' || channel === 'sms') &&
    [subject, html].every((part) => part === null || isText(part)) &&
    Array.isArray(links) &&
    links.every(isText)
  );
}

const isText = (value: unknown) => typeof value === 'string';

function isFor(message: MailboxMessage, to: string | undefined): boolean {
  if (to === undefined || message.to === to) return true;
  if (message.channel === 'email') return isSameEmail(message.to, to);
  return !to.includes('@') && dialable(to) !== '' && dialable(to) === dialable(message.to);
}
