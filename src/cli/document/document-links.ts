import type { Command } from 'commander';
import { linkOrigin, signingOrigin } from '../../custom-domain/link-origin.ts';
import { appendAudit } from '../../documents/audit.ts';
import { type Document, isUnsent } from '../../documents/document.ts';
import { listRecipients } from '../../documents/queries.ts';
import type { Recipient } from '../../documents/recipient.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { mintSigningLink } from '../../signing/signing-link.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { actor, withDatabase } from '../core/session.ts';
import { answer, remark, table } from '../core/terminal.ts';
import { lockById } from './lock-document.ts';

interface Link {
  recipient_id: string;
  display_name: string;
  /** Null for an unsent document. */
  url: string | null;
}

export function defineLinks(document: Command): void {
  document
    .command('links <id>')
    .description('create a new signing link for each recipient; the audit trail records it')
    .action(async (id: string, _options, command: Command) => {
      const links = await withDatabase(async ({ config, world, db }) => {
        const origin = await pagesOrigin(config);
        const ours = { origin, publicUrl: config.publicUrl };
        return db.transaction(async (tx) => mintLinks(world, tx, ours, await lockById(tx, id)));
      });
      if (links.some(({ url }) => url === null)) remark('the document was not sent yet: there are no links');
      answer(command, links, (rows) => table(rows.map(linkRow), 'no recipients'));
    });
}

/** A finished document has links too: the page says how it ended. */
async function mintLinks(
  world: World,
  tx: Tx,
  ours: { origin: string; publicUrl: string | null },
  document: Document,
): Promise<Link[]> {
  const recipients = await listRecipients(tx, document.account_id, document.id);
  if (isUnsent(document.status)) return recipients.map((recipient) => linkOf(recipient, null));

  const company = await linkOrigin(tx, document.account_id, ours);
  const at = world.clock.now().toISOString();
  const [urls] = await Promise.all([
    Promise.all(
      recipients.map((recipient) =>
        mintSigningLink(world, tx, signingOrigin(recipient, company, ours.origin), recipient),
      ),
    ),
    appendAudit(
      tx,
      document,
      recipients.map(({ id, display_name }) => {
        return { at, actor, action: 'link_shown', detail: { recipient_id: id, name: display_name } };
      }),
    ),
  ]);
  return recipients.map((recipient, index) => linkOf(recipient, urls[index] as string));
}

function linkOf({ id, display_name }: Recipient, url: string | null): Link {
  return { recipient_id: id, display_name, url };
}

function linkRow({ recipient_id, display_name, url }: Link) {
  return { recipient_id, url, display_name };
}
