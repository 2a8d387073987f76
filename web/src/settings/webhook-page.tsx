import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { count } from '../language.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { MoreMenu } from '../ui/menu.tsx';
import { useTitle } from '../ui/page-title.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { AttemptCharts } from './attempt-charts.tsx';
import { Deliveries, LinkedDelivery } from './deliveries.tsx';
import { RedeliverMatchingDialog } from './redeliver-matching-dialog.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import { settingsText } from './texts.ts';
import { eventNames, type Webhook, webhooksQuery } from './webhook.ts';
import {
  ChooseEventsDialog,
  LimitDialog,
  PauseDialog,
  PayloadDialog,
  RedeliverFailedDialog,
  RemoveWebhookDialog,
  RollDialog,
  TestEventDialog,
} from './webhook-dialogs.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import { webhooksText } from './webhooks-texts.ts';

const route = getRouteApi('/settings-tabs/settings/webhooks/$id');

export function WebhookPage() {
  const { id } = route.useParams();
  const { data, error, isPending } = useQuery(webhooksQuery);
  const webhook = data?.data.find((known) => known.id === id);
  return (
    <>
      <p className="mb-3">
        <BackLink to="/settings/webhooks">{webhooksText.back}</BackLink>
      </p>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {webhook === undefined && !isPending && error === null && <p>{uiText.failures.not_found}</p>}
      {webhook !== undefined && <Detail webhook={webhook} />}
    </>
  );
}

type Open =
  | 'test'
  | 'again'
  | 'matching'
  | 'events'
  | 'payload'
  | 'limit'
  | 'pause'
  | 'roll'
  | 'remove'
  | { secret: string };

function Detail({ webhook }: { webhook: Webhook }) {
  const { delivery, ...search } = route.useSearch();
  const [open, setOpen] = useState<Open | null>(null);
  const [said, setSaid] = useState('');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const renew = async () => {
    await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    await queryClient.invalidateQueries({ queryKey: ['deliveries'] });
  };
  useTitle([webhook.url, settingsText.tabs.webhooks]);
  const close = () => setOpen((now) => (typeof now === 'string' ? null : now));
  const dialog = { webhook, onClose: close, onDone: renew };
  const actions = [
    [
      { name: webhooksText.again, act: () => setOpen('again') },
      { name: webhooksText.change, act: () => setOpen('events') },
      { name: webhooksText.payload, act: () => setOpen('payload') },
      { name: webhooksText.limit, act: () => setOpen('limit') },
      { name: webhook.paused_at === null ? webhooksText.pause : webhooksText.resume, act: () => setOpen('pause') },
      { name: webhooksText.roll, act: () => setOpen('roll') },
    ],
    [{ name: webhooksText.remove, act: () => setOpen('remove') }],
  ];
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <h2 className="min-w-0 flex-1 basis-60 text-xl break-all">{webhook.url}</h2>
        <div className="flex gap-2">
          <Button onClick={() => setOpen('test')}>{webhooksText.test}</Button>
          <MoreMenu label={webhooksText.more} groups={actions} />
        </div>
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-3 text-sm text-soft">
        <WebhookStatus webhook={webhook} />
        {webhook.events.length === eventNames.length
          ? `${webhooksText.events}: ${webhooksText.allEvents}`
          : webhook.events.join(', ')}
        {webhook.payload_version !== 1 && <span>{webhooksText.payloads[webhook.payload_version]}</span>}
        {webhook.rate_limit !== null && <span>{count(webhook.rate_limit, webhooksText.limited)}</span>}
      </p>
      <p role="status" className="mt-2 font-medium text-good">
        {said}
      </p>
      {delivery === undefined ? (
        <>
          <AttemptCharts webhookId={webhook.id} />
          <Deliveries webhook={webhook} search={search} onRedeliver={() => setOpen('matching')} />
        </>
      ) : (
        <LinkedDelivery webhookId={webhook.id} id={delivery} />
      )}
      {open === 'test' && <TestEventDialog {...dialog} />}
      {open === 'again' && (
        <RedeliverFailedDialog
          {...dialog}
          onDone={(redelivered) => {
            setSaid(count(redelivered, webhooksText.redelivered));
            return renew();
          }}
        />
      )}
      {open === 'matching' && (
        <RedeliverMatchingDialog
          webhook={webhook}
          search={search}
          onClose={close}
          onDone={(redelivered) => {
            setSaid(count(redelivered, webhooksText.redelivered));
            return renew();
          }}
        />
      )}
      {open === 'events' && <ChooseEventsDialog {...dialog} />}
      {open === 'payload' && <PayloadDialog {...dialog} />}
      {open === 'limit' && <LimitDialog {...dialog} />}
      {open === 'pause' && <PauseDialog {...dialog} />}
      {open === 'roll' && <RollDialog {...dialog} onRolled={(secret) => setOpen({ secret })} />}
      {open === 'remove' && (
        <RemoveWebhookDialog {...dialog} onDone={() => navigate({ to: '/settings/webhooks' }).then(renew)} />
      )}
      {open !== null && typeof open === 'object' && (
        <ShownOnceDialog
          title={webhooksText.secretTitle}
          name={webhooksText.secretTitle}
          secret={open.secret}
          onClose={() => setOpen(null)}
        >
          <p>{webhooksText.rolledText}</p>
        </ShownOnceDialog>
      )}
    </>
  );
}
