import type { Command } from 'commander';
import { readEditDocumentBody } from '../documents/create-document-body.ts';
import { editDocument } from '../documents/edit-document.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockById } from './lock-document.ts';
import { readJsonFile } from './read-json-file.ts';
import { refusingBody } from './refusing-answers.ts';
import { actor, withDatabase } from './session.ts';
import { answer } from './terminal.ts';

export function defineEdit(document: Command): void {
  document
    .command('edit <id> <document.json>')
    .description('give a draft or template other words and parties, as POST /documents takes them')
    .addHelpText('after', '\nA party that stays says so by its "id". With one that is left out go its fields.')
    .action(async (id: string, path: string, _options, command: Command) => {
      const wish = await readJsonFile(path);
      const shown = await withDatabase(({ world, db }) =>
        db.transaction((tx) =>
          refusingBody(async () => {
            const found = await lockById(tx, id);
            await editDocument(world, tx, found, actor, readEditDocumentBody(wish));
            return operatorView(tx, found);
          }),
        ),
      );
      answer(command, shown, showDocument);
    });
}
