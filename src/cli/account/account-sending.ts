import type { Command } from 'commander';
import { type NoticeKind, noticeKinds, readNoticeKinds, setNoticeKinds } from '../../accounts/notice-kinds.ts';
import { lockSendingDefaults, readSendingDefaults, setSendingDefaults } from '../../accounts/sending-defaults.ts';
import { UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import {
  addSendingOptions,
  assertCanRemind,
  isEmpty,
  type SendingOptions,
  withOptions,
} from '../core/sending-options.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

const sendingExamples = `
Examples:
  countersign account sending $ACCOUNT
  countersign account sending $ACCOUNT --expires-in 30 --reminders 3,7,5 --before-expiry 2
  countersign account sending $ACCOUNT --expires-in never --before-expiry none --reminders standard`;

export function defineSending(account: Command): void {
  addSendingOptions(account.command('sending <id>'))
    .description("show or change when a company's new documents expire and remind")
    .addHelpText('after', sendingExamples)
    .action(async (id: string, options: SendingOptions, command: Command) => {
      const shown = await withDatabase(async (session) => {
        const { reminderDays } = session.config;
        const defaults = isEmpty(options) ? await readDefaults(session, id) : await setDefaults(session, id, options);
        return { id, ...defaults, service_reminder_days: reminderDays };
      });
      answer(command, shown, card);
    });
}

async function readDefaults({ db }: Session, id: string) {
  await findCompany(db, id);
  return readSendingDefaults(db, id);
}

function setDefaults({ world, db }: Session, id: string, options: SendingOptions) {
  return db.transaction(async (tx) => {
    await findActiveCompany(tx, id);
    const chosen = withOptions(await lockSendingDefaults(tx, id), options);
    // Without a default expiry, the reminder is for documents with an expiry of their own.
    if (chosen.expires_in_days !== null) assertCanRemind(chosen);
    return byId('account', id, () => setSendingDefaults(world, tx, id, chosen, null));
  });
}

const noticesExamples = `
Examples:
  countersign account notices $ACCOUNT
  countersign account notices $ACCOUNT --kinds sender_completed,recipient_voided
  countersign account notices $ACCOUNT --kinds none`;

export function defineNotices(account: Command): void {
  account
    .command('notices <id>')
    .description('show or choose which notices about its documents a company sends')
    .option('--kinds <list>', `all, none, or some of ${noticeKinds.join(',')}`, kindsOf)
    .addHelpText('after', noticesExamples)
    .action(async (id: string, { kinds }: { kinds?: readonly NoticeKind[] }, command: Command) => {
      const chosen = await withDatabase(({ world, db }) =>
        db.transaction(async (tx) => {
          if (kinds !== undefined) {
            await findActiveCompany(tx, id);
            return byId('account', id, () => setNoticeKinds(world, tx, id, kinds, null));
          }
          await findCompany(tx, id);
          return readNoticeKinds(tx, id);
        }),
      );
      answer(command, { id, kinds: chosen }, card);
    });
}

function kindsOf(value: string): readonly NoticeKind[] {
  if (value === 'all') return noticeKinds;
  if (value === 'none') return [];
  const wanted = value.split(',').map((kind) => kind.trim());
  const unknown = wanted.filter((kind) => !(noticeKinds as readonly string[]).includes(kind));
  if (unknown.length === 0) return noticeKinds.filter((kind) => wanted.includes(kind));
  throw new UsageError(
    `--kinds must be all, none or a comma-separated list of ${noticeKinds.join(',')}; unknown: ${unknown.join(', ')}`,
  );
}
