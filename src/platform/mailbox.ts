import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createAtomicWriter } from './files-atomic.ts';
import type { DeliveryOutcome, MailPicture, MailSender } from './mail.ts';
import { createdAt, fileNameOf, type MailboxMessage, messageFiles } from './mailbox-messages.ts';
import type { SmsSender } from './sms.ts';

export {
  findMailboxMessage,
  listMailbox,
  listMailboxIds,
  type MailboxMessage,
  removeMailboxMessage,
} from './mailbox-messages.ts';

export interface Mailbox {
  mail: MailSender;
  sms: SmsSender;
}

export interface MailboxOptions {
  dir: string;
  messagesMax?: number;
}

const messagesBetweenPrunings = 100;

/**
 * Creates the local mailbox, which receives messages while no provider is configured. It writes one JSON file for each
 * delivery id, so a repeated delivery is stored once. Several processes may read and write at once. It keeps about the
 * newest `messagesMax` messages.
 */
export function createMailbox({ dir, messagesMax = 10_000 }: MailboxOptions): Mailbox {
  const { write } = createAtomicWriter(dir);
  let written = 0;

  const keep = async (message: Omit<MailboxMessage, 'links' | 'created_at'>): Promise<DeliveryOutcome> => {
    const name = fileNameOf(message.id);
    const kept: MailboxMessage = { ...message, links: linksOf(message), created_at: createdAt(message.id) };
    try {
      await write(name, JSON.stringify(kept, null, 2));
      written += 1;
      if (written % messagesBetweenPrunings === 1) await prune(dir, messagesMax);
      return { kind: 'accepted', providerId: null };
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      return { kind: 'unavailable', reason: `the local mailbox could not be written (${code})` };
    }
  };

  return {
    mail: {
      send: ({ id, to, subject, text, html, pictures = [] }) =>
        keep({ id, channel: 'email', to: to.address, subject, text, html: withPictures(html, pictures) }),
      close: async () => {},
    },
    sms: {
      send: ({ id, to, text }) => keep({ id, channel: 'sms', to, subject: null, text, html: null }),
    },
  };
}

/** Puts the pictures of an e-mail into its HTML, so that its file has everything. */
export function withPictures(html: string, pictures: readonly MailPicture[]): string {
  return pictures.reduce(
    (shown, { id, type, bytes }) =>
      shown.replaceAll(`"cid:${id}"`, `"data:${type};base64,${bytes.toString('base64')}"`),
    html,
  );
}

async function prune(dir: string, messagesMax: number): Promise<void> {
  const names = messageFiles(await readdir(dir));
  await Promise.all(names.slice(messagesMax).map((name) => rm(join(dir, name), { force: true })));
}

/**
 * Returns the links of a message, each once. Links of its HTML come first: those are ours, and the text may quote
 * others from the sender.
 */
export function linksOf({ text, html }: { text: string; html: string | null }): string[] {
  const linked = [...(html ?? '').matchAll(/<a\s[^>]*\bhref="(https?:[^"]+)"/gi)].map(([, href = '']) =>
    unescapeHtml(href),
  );
  const written = [...text.matchAll(/https?:\/\/[^\s<>"“”«»]+/gi)].map(([url]) => url.replace(/[.,;:!?)\]}'’]+$/, ''));
  return [...new Set([...linked, ...written])];
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
