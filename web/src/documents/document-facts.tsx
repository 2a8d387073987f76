import { count, formatMoment } from '../language.ts';
import { Time } from '../ui/time.tsx';
import { detailText } from './detail-texts.ts';
import { describeSchedule } from './reminder-schedule.ts';
import { reminderText } from './reminder-texts.ts';
import type { DocumentDetail } from './types.ts';

export function DocumentFacts({ document }: { document: DocumentDetail }) {
  const { facts } = detailText;
  const {
    created_at,
    sent_at,
    completed_at,
    expires_at,
    expires_in_days,
    reminder_days,
    expiry_reminder_days,
    next_reminder_at,
    sign_order_mode,
    signer_count,
    message,
    file,
  } = document;
  const remindsBeforeExpiry =
    expiry_reminder_days !== null && expires_in_days !== null && expiry_reminder_days < expires_in_days;
  const moments: [name: string, at: string | null][] = [
    [facts.created, created_at],
    [facts.sent, sent_at],
    [facts.completed, completed_at],
  ];
  const plans: [name: string, at: string | null][] = [
    [reminderText.next, next_reminder_at],
    [facts.expires, expires_at],
  ];
  return (
    <section aria-labelledby="facts">
      <h2 id="facts" className="sr-only">
        {facts.title}
      </h2>
      {/* Without a PDF the message is on the signed page. */}
      {message !== null && file !== null && (
        <div className="mb-4">
          <h3 className="text-sm font-semibold text-soft">{detailText.message}</h3>
          <p className="whitespace-pre-line">
            <bdi>{message}</bdi>
          </p>
        </div>
      )}
      <dl className="grid gap-1.5 text-sm">
        {moments.map(
          ([name, at]) =>
            at !== null && (
              <Fact key={name} name={name}>
                <Time at={at} />
              </Fact>
            ),
        )}
        {plans.map(
          ([name, at]) =>
            at !== null && (
              <Fact key={name} name={name}>
                <time dateTime={at}>{formatMoment(at)}</time>
              </Fact>
            ),
        )}
        {sent_at === null && expires_in_days !== null && (
          <Fact name={facts.expires}>{count(expires_in_days, facts.expiresInDays)}</Fact>
        )}
        {sent_at === null && (
          <Fact name={reminderText.reminders}>
            {reminder_days === null ? reminderText.standardShort : describeSchedule(reminder_days)}
          </Fact>
        )}
        {sent_at === null && remindsBeforeExpiry && (
          <Fact name={reminderText.beforeExpiry}>{count(expiry_reminder_days, reminderText.daysBefore)}</Fact>
        )}
        {signer_count > 1 && <Fact name={facts.order}>{facts.orders[sign_order_mode]}</Fact>}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="max-w-3/5 shrink-0 text-soft">{name}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}
