import type { Command } from 'commander';
import { readEditDocumentBody } from '../../documents/create-document-body.ts';
import { editDocument } from '../../documents/edit-document.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { refusingBody } from '../core/refusing-answers.ts';
import { actor, withDatabase } from '../core/session.ts';
import { answer } from '../core/terminal.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockById } from './lock-document.ts';

export function defineEdit(document: Command): void {
  document
    .command('edit <id> <document.json>')
    .description('replace the content and recipients of a draft or template; the file is as for POST /documents')
    .addHelpText('after', '\nGive the "id" of each recipient to keep. Fields of removed recipients are deleted.')
    .action(async (id: string, path: string, _options, command: Command) => {
      const body = await readJsonFile(path);
      const shown = await withDatabase(({ world, db }) =>
        db.transaction((tx) =>
          refusingBody(async () => {
            const found = await lockById(tx, id);
            await editDocument(world, tx, found, actor, readEditDocumentBody(body));
            return operatorView(tx, found);
          }),
        ),
      );
      answer(command, shown, showDocument);
    });
}
