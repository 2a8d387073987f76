import type { Command } from 'commander';
import { createDocument } from '../../documents/create-document.ts';
import { readCreateDocumentBody } from '../../documents/create-document-body.ts';
import { findActiveCompany } from '../account/find-company.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { refusingBody } from '../core/refusing-answers.ts';
import { actor, withDatabase } from '../core/session.ts';
import { answer } from '../core/terminal.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockById } from './lock-document.ts';

export function defineCreate(document: Command): void {
  document
    .command('create <document.json>')
    .description('create a draft from a JSON file with the body of POST /documents; nothing is sent')
    .requiredOption('--account <id>', 'the company whose document it is')
    .action(async (path: string, { account }: { account: string }, command: Command) => {
      const body = await readJsonFile(path);
      const shown = await withDatabase(({ world, db }) =>
        db.transaction((tx) =>
          refusingBody(async () => {
            const creator = { accountId: (await findActiveCompany(tx, account)).id, actor, mode: 'live' } as const;
            const { id } = await createDocument(world, tx, creator, readCreateDocumentBody(body));
            return operatorView(tx, await lockById(tx, id));
          }),
        ),
      );
      answer(command, shown, showDocument);
    });
}
