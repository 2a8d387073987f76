import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { actionText } from './action-texts.ts';
import { detailText } from './detail-texts.ts';
import { InPersonDialog, ReassignDialog } from './document-dialogs.tsx';
import type { DocumentDetail, PartyView } from './types.ts';

export function Parties({ document }: { document: DocumentDetail }) {
  if (document.parties.length === 0) return null;
  return (
    <section aria-labelledby="parties">
      <h2 id="parties" className="text-xl">
        {detailText.parties}
      </h2>
      <ol className="mt-3 grid gap-3">
        {document.parties.map((party) => (
          <Party key={party.id} document={document} party={party} />
        ))}
      </ol>
    </section>
  );
}

function Party({ document, party }: { document: DocumentDetail; party: PartyView }) {
  const [asked, setAsked] = useState<'reassign' | 'in_person' | null>(null);
  const queryClient = useQueryClient();
  const { name, email, phone, kind, role, channel, auth_level, actions, message, declined_reason } = party;
  const contact = [email, phone].filter((detail) => detail !== null && detail !== '').join(' · ');
  const { kinds, channels, levels } = detailText;
  const part = kind === 'signer' && role !== null ? role : kinds[kind];
  const dialog = {
    document,
    party,
    onClose: () => setAsked(null),
    onDone: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  };
  return (
    <li className="rounded-xl border border-rule bg-raised p-3.5">
      <p className="font-semibold">
        <bdi>{name}</bdi>
      </p>
      <p className="text-sm text-soft">
        {[part, channels[channel], levels[auth_level]].filter((words) => words !== '').join(' · ')}
      </p>
      {contact !== '' && <p className="text-sm text-soft">{contact}</p>}
      <PartyStatus party={party} isSent={document.sent_at !== null} />
      {declined_reason !== null && (
        <p className="mt-1 text-sm">{fill(detailText.declinedBecause, { reason: declined_reason })}</p>
      )}
      {message === 'failed' && <p className="mt-1 text-sm font-medium text-bad">{detailText.messageFailed}</p>}
      {actions.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-2">
          {actions.includes('in_person') && (
            <Button kind="primary" onClick={() => setAsked('in_person')}>
              {actionText.inPerson}
            </Button>
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

const colours = {
  pending: 'text-soft',
  sent: 'text-accent',
  viewed: 'text-accent',
  signed: 'text-good',
  declined: 'text-bad',
};

function PartyStatus({ party, isSent }: { party: PartyView; isSent: boolean }) {
  const { status, kind, sent_at, viewed_at, signed_at, declined_at } = party;
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

function statusWords(kind: PartyView['kind'], status: PartyView['status']): string {
  if (kind === 'cc') return status === 'sent' ? detailText.ccStatus.sent : detailText.ccStatus.waiting;
  if (kind === 'approver' && status === 'signed') return detailText.approved;
  return detailText.partyStatus[status];
}
