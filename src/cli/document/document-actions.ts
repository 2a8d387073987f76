import type { Command } from 'commander';
import { copyDocument } from '../../documents/copy-document.ts';
import { canBeCopied, type Document, type RestrictedKind, restrictedKinds } from '../../documents/document.ts';
import {
  liftRestriction,
  makeTemplate,
  mirrorDocument,
  restrictDocument,
  returnToDraft,
  reviewNoteLengthMax,
  submitForReview,
} from '../../documents/document-actions.ts';
import { findSubmitter } from '../../documents/find-submitter.ts';
import { findDocument } from '../../documents/queries.ts';
import { notifyReviewers, notifySubmitter } from '../../documents/review-notice.ts';
import { cancelSchedule } from '../../documents/schedule-send.ts';
import { voidDocument, voidReasonLengthMax } from '../../documents/void-document.ts';
import { Refusal } from '../../errors.ts';
import type { World } from '../../platform/world.ts';
import type { Tx } from '../../postgres/database.ts';
import { oneOf, textOf } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { changeWithQueue } from '../core/change-with-queue.ts';
import { actor, withDatabase } from '../core/session.ts';
import { answer } from '../core/terminal.ts';
import { operatorView, showDocument } from './document-view.ts';
import { lockBoth, lockById } from './lock-document.ts';

export function defineActions(document: Command): void {
  document
    .command('show <id>')
    .description('show a document with its recipients and the status of their messages')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async ({ db }) =>
        operatorView(db, await byId('document', id, () => findDocument(db, id))),
      );
      answer(command, shown, showDocument);
    });

  document
    .command('void <id>')
    .description('void a document; open signing links then say so')
    .requiredOption('--reason <reason>', 'the reason, shown to the recipients', textOf('--reason', voidReasonLengthMax))
    .action(async (id: string, { reason }: { reason: string }, command: Command) => {
      const company = { mayBeRemoved: true };
      await changeWithQueue(
        command,
        id,
        (world, tx, queue, found) => voidDocument(world, tx, queue, found, actor, reason),
        company,
      );
    });

  document
    .command('review <id>')
    .description('submit a draft for internal review; owners and admins get an e-mail')
    .action(async (id: string, _options, command: Command) => {
      await changeWithQueue(command, id, async (world, tx, queue, found) => {
        await submitForReview(world, tx, found, actor);
        await notifyReviewers(world, tx, queue, found, { by: null, language: 'en' });
      });
    });

  document
    .command('return <id>')
    .description('return a document from review to draft; its submitter gets an e-mail')
    .requiredOption('--note <note>', 'why, shown to members alone', textOf('--note', reviewNoteLengthMax))
    .action(async (id: string, { note }: { note: string }, command: Command) => {
      await changeWithQueue(command, id, async (world, tx, queue, found) => {
        const submitter = await findSubmitter(tx, found);
        await returnToDraft(world, tx, found, actor, note);
        if (submitter !== null) {
          await notifySubmitter(world, tx, queue, found, submitter, { by: null, language: 'en' });
        }
      });
    });

  document
    .command('cancel-schedule <id>')
    .description('cancel sending a document later; it stays as it is')
    .action(async (id: string, _options, command: Command) => {
      await change(command, id, (world, tx, found) => cancelSchedule(world, tx, found, actor));
    });

  document
    .command('template <id>')
    .description('save a draft as a template; API keys cannot see templates')
    .action(async (id: string, _options, command: Command) => {
      await change(command, id, (world, tx, found) => makeTemplate(world, tx, found, actor));
    });

  document
    .command('restrict <id>')
    .description('restrict a document: members and API keys cannot see it')
    .requiredOption('--kind <kind>', `one of ${restrictedKinds.join(', ')}`, oneOf('--kind', restrictedKinds))
    .action(async (id: string, { kind }: { kind: RestrictedKind }, command: Command) => {
      await change(command, id, (world, tx, found) => restrictDocument(world, tx, found, actor, kind));
    });

  document
    .command('lift-restriction <id>')
    .description('lift the restriction of a document: members and API keys see it again')
    .action(async (id: string, _options, command: Command) => {
      await change(command, id, (world, tx, found) => liftRestriction(world, tx, found, actor));
    });

  document
    .command('copy <id>')
    .description('copy a document with its recipients, file and fields to a new draft')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const found = await lockById(tx, id);
          if (!canBeCopied(found)) {
            throw new Refusal(
              found.is_template
                ? 'a template is copied with template use'
                : 'a document of the vendor has no fields to copy',
            );
          }
          return operatorView(tx, (await copyDocument(world, tx, found, actor)).copy);
        }),
      );
      answer(command, shown, showDocument);
    });

  document
    .command('mirror <id>')
    .description('make it the mirror of another document: it cannot be sent until that one is completed')
    .requiredOption('--of <other-id>', 'the document it mirrors')
    .action(async (id: string, { of }: { of: string }, command: Command) => {
      const shown = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          const [found, other] = await lockBoth(tx, id, of);
          await mirrorDocument(world, tx, found, actor, other);
          return operatorView(tx, found);
        }),
      );
      answer(command, shown, showDocument);
    });
}

/** Changes the locked document in one transaction and prints the result. A `Refusal` of a rule ends with exit code 1. */
async function change(
  command: Command,
  id: string,
  apply: (world: World, tx: Tx, document: Document) => Promise<void>,
): Promise<void> {
  const shown = await withDatabase(({ world, db }) =>
    db.transaction(async (tx) => {
      const found = await lockById(tx, id);
      await apply(world, tx, found);
      return operatorView(tx, found);
    }),
  );
  answer(command, shown, showDocument);
}
