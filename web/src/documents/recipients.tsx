import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, leaveFor } from '../api/client.ts';
import { fill, formatMoment } from '../language.ts';
import { lazyDialog } from '../shell/lazy-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { DeliveryError } from '../ui/delivery-error.tsx';
import { deliveryText } from '../ui/delivery-texts.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { actionText } from './action-texts.ts';
import { detailText } from './detail-texts.ts';
import type { RecipientDialogProps } from './recipient-dialogs.tsx';
import { signingSteps } from './signing-steps.ts';
import type { DocumentDetail, RecipientView } from './types.ts';

const ReassignDialog = lazyDialog<RecipientDialogProps>(
  async () => (await import('./recipient-dialogs.tsx')).ReassignDialog,
);
const InPersonDialog = lazyDialog<RecipientDialogProps>(
  async () => (await import('./recipient-dialogs.tsx')).InPersonDialog,
);

export function Recipients({ document }: { document: DocumentDetail }) {
  if (document.recipients.length === 0) return null;
  const steps = signingSteps(document);
  return (
    <section aria-labelledby="recipients">
      <h2 id="recipients" className="text-xl">
        {detailText.recipients}
      </h2>
      <ol className="mt-3 grid gap-3">
        {document.recipients.map((recipient) => (
          <RecipientItem key={recipient.id} document={document} recipient={recipient} step={steps.get(recipient.id)} />
        ))}
      </ol>
    </section>
  );
}

interface RecipientItemProps {
  document: DocumentDetail;
  recipient: RecipientView;
  step: string | undefined;
}

function RecipientItem({ document, recipient, step }: RecipientItemProps) {
  const [asked, setAsked] = useState<'reassign' | 'in_person' | null>(null);
  const queryClient = useQueryClient();
  const { name, email, phone, kind, role, channel, auth_level, actions, delivery, declined_reason } = recipient;
  const contact = [email, phone].filter((detail) => detail !== null && detail !== '').join(' · ');
  const { kinds, channels, levels } = detailText;
  const part = kind === 'signer' && role !== null ? role : kinds[kind];
  const dialog = {
    document,
    recipient,
    onClose: () => setAsked(null),
    onDone: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  };
  return (
    <li className="rounded-xl border border-rule bg-raised p-3.5">
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 font-semibold">
          <bdi>{name}</bdi>
        </p>
        {step !== undefined && <p className="shrink-0 text-sm font-medium text-soft">{step}</p>}
      </div>
      <p className="text-sm text-soft">
        {[part, channels[channel], levels[auth_level]].filter((words) => words !== '').join(' · ')}
      </p>
      {contact !== '' && <p className="text-sm text-soft">{contact}</p>}
      <RecipientStatus recipient={recipient} isSent={document.sent_at !== null} />
      {declined_reason !== null && (
        <p className="mt-1 text-sm">{fill(detailText.declinedBecause, { reason: declined_reason })}</p>
      )}
      {delivery !== null && <RecipientDelivery delivery={delivery} canReassign={actions.includes('reassign')} />}
      {actions.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-2">
          {actions.includes('sign') && <SignButton documentId={document.id} recipient={recipient} />}
          {actions.includes('in_person') && (
            <Button kind={actions.includes('sign') ? 'plain' : 'primary'} onClick={() => setAsked('in_person')}>
              {actionText.inPerson}
            </Button>
          )}
          {actions.includes('remind') && (
            <SendAgainButton documentId={document.id} recipient={recipient} onDone={dialog.onDone} />
          )}
          {actions.includes('reassign') && (
            <Button aria-label={`${actionText.reassign}: ${name}`} onClick={() => setAsked('reassign')}>
              {actionText.reassign}
            </Button>
          )}
        </div>
      )}
      {asked === 'reassign' && <ReassignDialog {...dialog} />}
      {asked === 'in_person' && <InPersonDialog {...dialog} />}
    </li>
  );
}

interface RecipientButtonProps {
  documentId: string;
  recipient: RecipientView;
}

/** Opens the signing page for a member who is this recipient. */
function SignButton({ documentId, recipient }: RecipientButtonProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      leaveFor(async () => {
        const params = { id: documentId, recipient: recipient.id };
        return (await api.post('/documents/:id/recipients/:recipient/sign', { params })).path;
      }),
  });
  const isApprover = recipient.kind === 'approver';
  return (
    <>
      <Button kind="primary" isBusy={isPending} onClick={() => mutate()}>
        {isApprover ? actionText.approveNow : actionText.signNow}
      </Button>
      <Problem of={error} failures={actionText.signFailures} className="order-last w-full" />
    </>
  );
}

interface SendAgainProps extends RecipientButtonProps {
  onDone: () => Promise<void>;
}

/** Sends a reminder to a recipient whom the last message has not reached. */
function SendAgainButton({ documentId, recipient, onDone }: SendAgainProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.post('/documents/:id/recipients/:recipient/remind', { params: { id: documentId, recipient: recipient.id } }),
    onSuccess: onDone,
  });
  return (
    <>
      <Button
        aria-label={`${detailText.delivery.again}: ${recipient.name}`}
        isBusy={isPending}
        onClick={() => mutate()}
      >
        {detailText.delivery.again}
      </Button>
      <Problem of={error} className="order-last w-full" />
    </>
  );
}

interface RecipientDeliveryProps {
  delivery: NonNullable<RecipientView['delivery']>;
  canReassign: boolean;
}

/** What became of the last message to a recipient. */
function RecipientDelivery({ delivery, canReassign }: RecipientDeliveryProps) {
  const { state, is_running, accepted_at, failed_at, next_attempt_at, delayed_at, bounced_at, error } = delivery;
  const at = state === 'waiting' ? null : (bounced_at ?? failed_at ?? accepted_at);
  const isLost = state === 'failed' || state === 'bounced';
  if (state === 'cancelled') return null;
  return (
    <div className={`mt-1 grid gap-0.5 text-sm ${isLost ? 'text-bad' : 'text-soft'}`}>
      <p>
        {is_running ? deliveryText.running : detailText.delivery.states[state]}
        {at !== null && (
          <>
            {' '}
            · <Time at={at} />
          </>
        )}
      </p>
      {next_attempt_at !== null && <p>{fill(deliveryText.next, { when: formatMoment(next_attempt_at) })}</p>}
      {delayed_at !== null && <p>{fill(deliveryText.delayed, { when: formatMoment(delayed_at) })}</p>}
      {error !== null && <DeliveryError error={error} />}
      {isLost && canReassign && <p>{detailText.delivery.lost}</p>}
    </div>
  );
}

const colours = {
  pending: 'text-soft',
  sent: 'text-accent',
  viewed: 'text-accent',
  signed: 'text-good',
  declined: 'text-bad',
};

function RecipientStatus({ recipient, isSent }: { recipient: RecipientView; isSent: boolean }) {
  const { status, kind, sent_at, viewed_at, signed_at, declined_at } = recipient;
  const at = { pending: null, sent: sent_at, viewed: viewed_at, signed: signed_at, declined: declined_at }[status];
  return (
    <p className={`mt-1.5 flex items-center gap-1.5 text-sm font-medium ${colours[status]}`}>
      {status === 'signed' && <Icon name="check" size={16} />}
      <span>
        {isSent ? statusWords(kind, status) : detailText.notAsked}
        {at !== null && (
          <span className="font-normal text-soft">
            {' '}
            · <Time at={at} />
          </span>
        )}
      </span>
    </p>
  );
}

function statusWords(kind: RecipientView['kind'], status: RecipientView['status']): string {
  if (kind === 'cc') return status === 'sent' ? detailText.ccStatus.sent : detailText.ccStatus.waiting;
  if (kind === 'approver' && status === 'signed') return detailText.approved;
  return detailText.recipientStatus[status];
}
