import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { findDocument } from '../../documents/queries.ts';
import { createCertificateDrawer } from '../../sealing/certificate-drawer.ts';
import { completeCertificate } from '../../signing/complete-certificate.ts';
import { byId } from '../core/by-id.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { assertWritable, saveStream } from '../core/save-stream.ts';
import { withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';

export function defineCertificate(document: Command): void {
  document
    .command('certificate <id>')
    .description("save the complete certificate of a sealed document, with what the recipients' PDF may hide")
    .requiredOption('--out <file>', 'where to')
    .option('--force', 'replace an existing file')
    .action(async (id: string, { out, force = false }: { out: string; force?: boolean }, command: Command) => {
      await assertWritable(out, force);
      await withDatabase(async ({ world, db, config }) => {
        const found = await byId('document', id, () => findDocument(db, id));
        const address = `${await pagesOrigin(config)}/verify`;
        const drawer = createCertificateDrawer({ log: world.log });
        try {
          const pdf = await completeCertificate(world, db, drawer.draw, found, address);
          answer(command, { id: found.id, out, ...(await saveStream(Readable.from([pdf]), out, force)) }, card);
        } finally {
          await drawer.close();
        }
      });
    });
}
