import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { connectionsText } from './connections-texts.ts';
import { TabHead } from './tab-head.tsx';

type Connection = AnswerOf<'GET', '/connections'>['data'][number];

const tones = { not_connected: 'neutral', connected: 'good', reconnect_needed: 'warn' } as const;

export function ConnectionsPage() {
  const { data, error, isPending } = useQuery({
    queryKey: ['connections'],
    queryFn: () => api.get('/connections'),
  });
  return (
    <>
      <TabHead>{connectionsText.purpose}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data?.data.map((connection) => (
        <ConnectionCard key={connection.provider} connection={connection} />
      ))}
    </>
  );
}

function ConnectionCard({ connection }: { connection: Connection }) {
  const { role } = useMe();
  const isOwner = role === 'owner';
  const isConnected = connection.status === 'connected';
  const [isUnrevoked, setUnrevoked] = useState(false);
  return (
    <section aria-labelledby={connection.provider} className="max-w-2xl rounded-xl border border-rule bg-raised p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={connection.provider} className="text-xl">
          {connectionsText.vendor}
        </h2>
        <Badge tone={tones[connection.status]}>{connectionsText.statuses[connection.status]}</Badge>
      </div>
      {connection.status === 'reconnect_needed' && <p className="mt-3">{connectionsText.reconnectText}</p>}
      <Facts connection={connection} />
      {!connection.is_available && <p className="mt-3 text-soft">{connectionsText.unavailable}</p>}
      {isOwner && (
        <div className="mt-4 flex flex-wrap gap-3">
          {!isConnected && <ConnectButton isAvailable={connection.is_available} />}
          {connection.status !== 'not_connected' && (
            <DisconnectButton onDone={({ revoked }) => setUnrevoked(!revoked)} />
          )}
        </div>
      )}
      <p role="status" className="mt-3 text-warn empty:hidden">
        {isUnrevoked && connection.status === 'not_connected' && connectionsText.unrevoked}
      </p>
      {!isOwner && <p className="mt-3 text-soft">{connectionsText.ownersOnly}</p>}
    </section>
  );
}

function Facts({
  connection: { vendor_account, vendor_user, connected_at, connected_by },
}: {
  connection: Connection;
}) {
  if (connected_at === null) return null;
  return (
    <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 [&_dt]:text-soft">
      <dt>{connectionsText.account}</dt>
      <dd>
        <bdi>{vendor_account?.name ?? vendor_account?.id}</bdi>
      </dd>
      <dt>{connectionsText.person}</dt>
      <dd>
        <bdi>{vendor_user?.email ?? vendor_user?.name}</bdi>
      </dd>
      <dt>{connectionsText.since}</dt>
      <dd>
        <Time at={connected_at} />
      </dd>
      {connected_by !== null && (
        <>
          <dt>{connectionsText.by}</dt>
          <dd>
            <bdi>{connected_by}</bdi>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Goes to the vendor to give consent. The vendor redirects back. */
function ConnectButton({ isAvailable }: { isAvailable: boolean }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post('/connections/esign_vendor/start'),
    onSuccess: ({ redirect_to }) => location.assign(redirect_to),
  });
  return (
    <>
      <Button kind="primary" disabled={!isAvailable} isBusy={isPending} onClick={() => mutate()}>
        {connectionsText.connect}
      </Button>
      <Problem of={error} failures={{ connections_unavailable: connectionsText.unavailable }} className="basis-full" />
    </>
  );
}

/** `revoked`: whether the vendor confirmed that the tokens are revoked. */
type Disconnected = AnswerOf<'DELETE', '/connections/esign_vendor'>;

function DisconnectButton({ onDone }: { onDone: (disconnected: Disconnected) => void }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const disconnect = async () => {
    onDone(await api.remove('/connections/esign_vendor'));
    await queryClient.invalidateQueries({ queryKey: ['connections'] });
  };
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {connectionsText.disconnect}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={connectionsText.disconnectTitle}
          action={connectionsText.disconnect}
          isDangerous
          onConfirm={disconnect}
          onClose={() => setAsking(false)}
        >
          <p>{connectionsText.disconnectText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
