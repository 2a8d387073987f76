import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { type Concern, HostConcern } from './host-concern.tsx';
import { Cell, Row, Rows } from './rows.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import { receiverSnippet } from './snippets.ts';
import { TabHead } from './tab-head.tsx';
import { eventNames, formatRate, type Webhook, webhooksQuery } from './webhook.ts';
import { AddWebhookDialog } from './webhook-dialogs.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import { webhooksText } from './webhooks-texts.ts';

type Open = { kind: 'add' } | { kind: 'added'; secret: string; concern: Concern };

export function WebhooksPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, isPending } = useQuery(webhooksQuery);
  const queryClient = useQueryClient();
  return (
    <>
      <TabHead
        action={
          <Button kind="primary" onClick={() => setOpen({ kind: 'add' })}>
            {webhooksText.add}
          </Button>
        }
      >
        {webhooksText.intro}
      </TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data?.data.length === 0 && (
        <EmptyState title={webhooksText.emptyTitle}>
          <p>{webhooksText.emptyText}</p>
          <CodeBlock code={receiverSnippet} name={webhooksText.snippetName} />
        </EmptyState>
      )}
      {data !== undefined && data.data.length > 0 && <WebhookRows webhooks={data.data} />}
      {open?.kind === 'add' && (
        <AddWebhookDialog
          onClose={() => setOpen((now) => (now?.kind === 'add' ? null : now))}
          onAdded={({ secret, concern }) => {
            setOpen({ kind: 'added', secret, concern });
            void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
          }}
        />
      )}
      {open?.kind === 'added' && (
        <ShownOnceDialog
          title={webhooksText.secretTitle}
          name={webhooksText.secretTitle}
          secret={open.secret}
          onClose={() => setOpen(null)}
        >
          <p>{webhooksText.secretText}</p>
          <HostConcern of={open.concern} />
        </ShownOnceDialog>
      )}
    </>
  );
}

function WebhookRows({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { columns } = webhooksText;
  return (
    <Rows
      caption={webhooksText.list}
      columns={[columns.url, columns.events, columns.status, columns.success, columns.added]}
    >
      {webhooks.map((webhook) => (
        <Row key={webhook.id}>
          <Cell className="font-semibold">
            <Link
              to="/settings/webhooks/$id"
              params={{ id: webhook.id }}
              className="break-all text-accent underline-offset-4 hover:underline"
            >
              {webhook.url}
            </Link>
          </Cell>
          <Cell label={columns.events} className="text-sm md:max-w-60">
            {webhook.events.length === eventNames.length ? webhooksText.allEvents : webhook.events.join(', ')}
          </Cell>
          <Cell label={columns.status}>
            <WebhookStatus webhook={webhook} />
          </Cell>
          <Cell label={columns.success} className="tabular-nums">
            {formatRate(webhook.last_day)}
          </Cell>
          <Cell label={columns.added} className="text-sm whitespace-nowrap text-soft">
            <Time at={webhook.created_at} />
          </Cell>
        </Row>
      ))}
    </Rows>
  );
}
