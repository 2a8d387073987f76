import { type Static, Type } from 'typebox';
import { readSendingDefaults, type SendingDefaults, setSendingDefaults } from '../../accounts/sending-defaults.ts';
import { assertUnchanged } from '../core/assert-unchanged.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { assertCanRemind, readReminders, remindersBody } from '../documents/reminders-body.ts';

/** The defaults of a company, and the schedule of the service, which the operator sets. */
export interface SendingView extends SendingDefaults {
  service_reminder_days: readonly number[];
}

const days = Type.Union([Type.Integer(), Type.Null()]);

const defaultsBody = Type.Object({
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  reminders: remindersBody,
  /** What the page showed. */
  shown: Type.Optional(
    Type.Object({
      expires_in_days: days,
      reminder_days: Type.Union([Type.Array(Type.Integer(), { maxItems: 100 }), Type.Null()]),
      expiry_reminder_days: days,
    }),
  ),
});

/** When documents of a company expire and remind. The form of a new document begins with these values. Throws `changed_meanwhile`. */
export const sendingEndpoints = [
  forMembers('GET /sending', 'member', {}, async ({ db, reminderDays }, { caller }): Promise<SendingView> => {
    const defaults = await readSendingDefaults(db, caller.membership.account_id);
    return { ...defaults, service_reminder_days: reminderDays };
  }),
  forMembers('POST /sending', 'admin', { body: defaultsBody }, setDefaults),
];

async function setDefaults(
  { world, db, reminderDays }: ConsoleDeps,
  { caller, body }: MemberCall<Static<typeof defaultsBody>>,
): Promise<SendingView> {
  const accountId = caller.membership.account_id;
  return db.transaction(async (tx) => {
    await assertUnchanged(tx, accountId, body.shown, readSendingDefaults);
    const chosen = { expires_in_days: body.expires_in_days ?? null, ...readReminders(body.reminders) };
    // Without a default expiry, the reminder is for documents with an expiry of their own.
    if (chosen.expires_in_days !== null) assertCanRemind(chosen, chosen.expires_in_days);
    const defaults = await setSendingDefaults(world, tx, accountId, chosen, caller.person.id);
    if (defaults === null) throw new ConsoleError('not_found');
    return { ...defaults, service_reminder_days: reminderDays };
  });
}
