import { useState } from 'react';
import { api } from '../api/client.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Choices } from './choices.tsx';
import type { Concern } from './host-concern.tsx';
import { settingsText } from './texts.ts';
import { eventNames, type Webhook } from './webhook.ts';
import { webhooksText } from './webhooks-texts.ts';

const failures = { ...webhooksText.failures, plan_required: settingsText.teamPlan };
const eventChoices = eventNames.map((value) => ({
  value,
  label: value,
  hint: webhooksText.eventHints[value] as string,
}));

export interface WithSecret {
  secret: string;
  concern: Concern;
}

interface AddWebhookDialogProps {
  onClose: () => void;
  onAdded: (added: WithSecret) => void;
}

export function AddWebhookDialog({ onClose, onAdded }: AddWebhookDialogProps) {
  return (
    <ConfirmDialog
      title={webhooksText.addTitle}
      action={webhooksText.add}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) =>
        api.post('/webhooks', { body: { url: form.get('url'), events: form.getAll('events') } }).then(onAdded)
      }
    >
      <TextField
        name="url"
        type="url"
        label={webhooksText.url}
        hint={webhooksText.urlHint}
        placeholder="https://example.com/hooks"
        required
      />
      <Choices legend={webhooksText.events} name="events" choices={eventChoices} chosen={eventNames} />
    </ConfirmDialog>
  );
}

export interface WebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

export function ChooseEventsDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  return (
    <ConfirmDialog
      title={webhooksText.changeTitle}
      action={webhooksText.change}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/webhooks/:id/events', { params: { id: webhook.id }, body: { events: form.getAll('events') } })
          .then(onDone)
      }
    >
      <Choices legend={webhooksText.events} name="events" choices={eventChoices} chosen={webhook.events} />
    </ConfirmDialog>
  );
}

export function PayloadDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  return (
    <ConfirmDialog
      title={webhooksText.payloadTitle}
      action={webhooksText.save}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/webhooks/:id/payload', { params: { id: webhook.id }, body: { version: Number(form.get('version')) } })
          .then(onDone)
      }
    >
      <Select
        name="version"
        label={webhooksText.payloadVersion}
        hint={webhooksText.payloadHint}
        defaultValue={webhook.payload_version}
      >
        {Object.entries(webhooksText.payloads).map(([version, label]) => (
          <option key={version} value={version}>
            {label}
          </option>
        ))}
      </Select>
      <p>{webhooksText.payloadText}</p>
    </ConfirmDialog>
  );
}

const perSecondMax = 1000;

export function LimitDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  return (
    <ConfirmDialog
      title={webhooksText.limitTitle}
      action={webhooksText.save}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) => {
        const typed = String(form.get('per_second')).trim();
        const body = { per_second: typed === '' ? null : Number(typed) };
        return api.post('/webhooks/:id/limit', { params: { id: webhook.id }, body }).then(onDone);
      }}
    >
      <TextField
        name="per_second"
        type="number"
        inputMode="numeric"
        min={1}
        max={perSecondMax}
        label={webhooksText.perSecond}
        hint={webhooksText.perSecondHint}
        defaultValue={webhook.rate_limit ?? ''}
        isOptional
      />
    </ConfirmDialog>
  );
}

export function PauseDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  // The question stays the same when the endpoint is paused or resumed meanwhile.
  const [isPaused] = useState(webhook.paused_at !== null);
  return (
    <ConfirmDialog
      title={isPaused ? webhooksText.resumeTitle : webhooksText.pauseTitle}
      action={isPaused ? webhooksText.resume : webhooksText.pause}
      onClose={onClose}
      onConfirm={() =>
        api.post(isPaused ? '/webhooks/:id/resume' : '/webhooks/:id/pause', { params: { id: webhook.id } }).then(onDone)
      }
    >
      <p>{isPaused ? webhooksText.resumeText : webhooksText.pauseText}</p>
    </ConfirmDialog>
  );
}

export function RollDialog({
  webhook,
  onClose,
  onRolled,
}: Omit<WebhookDialogProps, 'onDone'> & { onRolled: (secret: string) => void }) {
  return (
    <ConfirmDialog
      title={webhooksText.rollTitle}
      action={webhooksText.roll}
      failures={failures}
      onClose={onClose}
      onConfirm={() =>
        api.post('/webhooks/:id/roll', { params: { id: webhook.id } }).then(({ secret }) => onRolled(secret))
      }
    >
      <p>{webhooksText.rollText}</p>
    </ConfirmDialog>
  );
}

export function RemoveWebhookDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  return (
    <ConfirmDialog
      title={webhooksText.removeTitle}
      action={webhooksText.remove}
      isDangerous
      onClose={onClose}
      onConfirm={() => api.remove('/webhooks/:id', { params: { id: webhook.id } }).then(onDone)}
    >
      <p>
        <bdi className="font-semibold break-all">{webhook.url}</bdi>
      </p>
      <p>{webhooksText.removeText}</p>
    </ConfirmDialog>
  );
}

export function TestEventDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  return (
    <ConfirmDialog
      title={webhooksText.testTitle}
      action={webhooksText.test}
      onClose={onClose}
      onConfirm={(form) =>
        api.post('/webhooks/:id/test', { params: { id: webhook.id }, body: { event: form.get('event') } }).then(onDone)
      }
    >
      <p>{webhooksText.testText}</p>
      <Select name="event" label={webhooksText.event} defaultValue="document.completed">
        {eventNames.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
    </ConfirmDialog>
  );
}

export function RedeliverFailedDialog({
  webhook,
  onClose,
  onDone,
}: Omit<WebhookDialogProps, 'onDone'> & { onDone: (redelivered: number) => Promise<unknown> }) {
  const redeliver = (form: FormData) => {
    const since = new Date(Date.now() - Number(form.get('hours')) * 3_600_000).toISOString();
    return api
      .post('/webhooks/:id/redeliver-failed', { params: { id: webhook.id }, body: { since } })
      .then(({ redelivered }) => onDone(redelivered));
  };
  return (
    <ConfirmDialog
      title={webhooksText.againTitle}
      action={webhooksText.redeliver}
      onClose={onClose}
      onConfirm={redeliver}
    >
      <p>{webhooksText.againText}</p>
      <Select name="hours" label={webhooksText.since} defaultValue="24">
        {Object.entries(webhooksText.sinces).map(([hours, name]) => (
          <option key={hours} value={hours}>
            {name}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  );
}
