import type { Command } from 'commander';
import { type EditDocumentBody, readEditDocumentBody } from '../../documents/create-document-body.ts';
import type { Document } from '../../documents/document.ts';
import type { DocumentJsonRow } from '../../documents/json.ts';
import { listTemplates } from '../../documents/list-templates.ts';
import { createTemplate, deleteTemplate, draftFromTemplate } from '../../documents/templates.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable, Tx } from '../../postgres/database.ts';
import { findActiveCompany, findCompany } from '../account/find-company.ts';
import { folderOf } from '../core/arguments.ts';
import { readJsonFile } from '../core/read-json-file.ts';
import { refusingBody } from '../core/refusing-answers.ts';
import { actor, withDatabase } from '../core/session.ts';
import { answer, table } from '../core/terminal.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockTemplate } from './lock-document.ts';
import { defineLink } from './template-link.ts';

type Make = (world: World, tx: Tx, body: EditDocumentBody) => Promise<Document>;

export function define(template: Command): void {
  template
    .command('create <template.json>')
    .description('create a template from a JSON file with the body of POST /documents; recipients may have no address')
    .requiredOption('--account <id>', 'the company that uses it')
    .action((path: string, { account }: { account: string }, command: Command) =>
      make(command, path, async (world, tx, body) => {
        const { id } = await findActiveCompany(tx, account);
        return createTemplate(world, tx, id, actor, body);
      }),
    );

  template
    .command('list')
    .description("list a company's templates, newest first")
    .requiredOption('--account <id>', 'the company')
    .option('--folder <id>', 'only those in this folder, or `none` for those in no folder', folderOf)
    .action(async ({ account, folder }: { account: string; folder?: string }, command: Command) => {
      const templates = await withDatabase(async ({ db }) => {
        const { id } = await findCompany(db, account);
        return listAll(db, id, folder ?? null);
      });
      answer(command, templates, (rows) => table(rows, 'no templates'));
    });

  template
    .command('use <id> <document.json>')
    .description('create a draft from a template; give the "id" of each template recipient that you fill in')
    .action((id: string, path: string, _options, command: Command) =>
      make(command, path, async (world, tx, body) => {
        const found = await lockTemplate(tx, id);
        await findActiveCompany(tx, found.account_id);
        return draftFromTemplate(world, tx, found, actor, body);
      }),
    );

  template
    .command('remove <id>')
    .description('delete a template and its file; drafts made from it stay')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const found = await lockTemplate(tx, id);
          await deleteTemplate(world, tx, found, actor);
          return operatorView(tx, found);
        }),
      );
      answer(command, shown, showDocument);
    });

  defineLink(template);
}

async function make(command: Command, path: string, from: Make): Promise<void> {
  const body = await readJsonFile(path);
  const shown = await withDatabase(({ world, db }) =>
    db.transaction((tx) =>
      refusingBody(async () => operatorView(tx, await from(world, tx, readEditDocumentBody(body)))),
    ),
  );
  answer(command, shown, showDocument);
}

const pageSize = 500;

async function listAll(db: Queryable, accountId: string, folder: string | null) {
  const rows: DocumentJsonRow[] = [];
  for (let after: string | null = null; ; ) {
    const page: DocumentJsonRow[] = await listTemplates(db, accountId, {
      words: [],
      folder,
      readerId: null,
      after,
      limit: pageSize,
    });
    rows.push(...page);
    if (page.length < pageSize) break;
    after = (page.at(-1) as DocumentJsonRow).id;
  }
  return rows.map(({ id, type, recipient_count, created_at, updated_at, title }) => {
    return { id, type, recipient_count, created_at, updated_at, title };
  });
}
