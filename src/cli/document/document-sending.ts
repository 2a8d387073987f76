import type { Command } from 'commander';
import { assertUnsent } from '../../documents/attach-file.ts';
import { findDocument } from '../../documents/queries.ts';
import { setSending } from '../../documents/set-sending.ts';
import { byId } from '../core/by-id.ts';
import {
  addSendingOptions,
  assertCanRemind,
  isEmpty,
  type SendingOptions,
  withOptions,
} from '../core/sending-options.ts';
import { actor, type Session, withDatabase } from '../core/session.ts';
import { answer, card } from '../core/terminal.ts';
import { lockById } from './lock-document.ts';

const examples = `
Examples:
  countersign document sending $DRAFT
  countersign document sending $DRAFT --expires-in 30 --reminders 3,7,4 --before-expiry 2
  countersign document sending $DRAFT --reminders none`;

export function defineSending(document: Command): void {
  addSendingOptions(document.command('sending <id>'))
    .description('show or change when an unsent document or template expires and reminds')
    .addHelpText('after', examples)
    .action(async (id: string, options: SendingOptions, command: Command) => {
      const shown = await withDatabase((session) => (isEmpty(options) ? show(session, id) : set(session, id, options)));
      answer(command, shown, card);
    });
}

async function show({ config, db }: Session, id: string) {
  const found = await byId('document', id, () => findDocument(db, id));
  return sendingView(found, config.reminderDays);
}

function set({ config, world, db }: Session, id: string, options: SendingOptions) {
  return db.transaction(async (tx) => {
    const found = await lockById(tx, id);
    const chosen = withOptions(found, options);
    assertUnsent(found);
    if (options.expiresIn !== undefined || options.beforeExpiry !== undefined) assertCanRemind(chosen);
    await setSending(world, tx, found, actor, chosen);
    return sendingView(found, config.reminderDays);
  });
}

type Shown = Pick<
  Awaited<ReturnType<typeof lockById>>,
  'id' | 'status' | 'expires_in_days' | 'reminder_days' | 'expiry_reminder_days'
>;

/** `service_reminder_days`: the schedule that a document without its own has. */
function sendingView(document: Shown, serviceReminderDays: number[]) {
  const { id, status, expires_in_days, reminder_days, expiry_reminder_days } = document;
  return {
    id,
    status,
    expires_in_days,
    reminder_days,
    expiry_reminder_days,
    service_reminder_days: serviceReminderDays,
  };
}
