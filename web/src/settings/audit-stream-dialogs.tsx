import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { streamText } from './audit-stream-texts.ts';

export type Stream = NonNullable<AnswerOf<'GET', '/audit-stream'>['stream']>;
export type StreamStep = 'pause' | 'resume' | 'roll' | 'remove';

interface SetStreamDialogProps {
  stream: Stream | null;
  onClose: () => void;
  onSet: (answer: AnswerOf<'POST', '/audit-stream'>) => Promise<unknown>;
}

export function SetStreamDialog({ stream, onClose, onSet }: SetStreamDialogProps) {
  const [kind, setKind] = useState<Stream['kind']>(stream?.kind ?? 'webhook');
  const isWebhook = kind === 'webhook';
  const address = stream?.kind === kind ? stream.url.replace('syslog+tls://', '') : '';
  return (
    <ConfirmDialog
      title={streamText.setTitle}
      action={streamText.save}
      failures={streamText.failures}
      onClose={onClose}
      onConfirm={(form) => api.post('/audit-stream', { body: { kind, address: form.get('address') } }).then(onSet)}
    >
      <p>{stream === null ? streamText.setText : streamText.changeText}</p>
      <Select label={streamText.kind} value={kind} onChange={({ target }) => setKind(target.value as Stream['kind'])}>
        <option value="webhook">{streamText.kinds.webhook}</option>
        <option value="syslog">{streamText.kinds.syslog}</option>
      </Select>
      <TextField
        key={kind}
        name="address"
        type={isWebhook ? 'url' : 'text'}
        label={isWebhook ? streamText.url : streamText.server}
        hint={isWebhook ? streamText.urlHint : streamText.serverHint}
        placeholder={isWebhook ? 'https://example.com/audit' : 'logs.example.com:6514'}
        defaultValue={address}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </ConfirmDialog>
  );
}

interface StreamStepDialogProps {
  step: StreamStep;
  onClose: () => void;
  /** `secret`: the new one, after a roll. */
  onDone: (secret: string | null) => Promise<unknown>;
}

export function StreamStepDialog({ step, onClose, onDone }: StreamStepDialogProps) {
  const send = async () => {
    if (step === 'roll') return onDone((await api.post('/audit-stream/roll')).secret);
    await api.post(`/audit-stream/${step}`);
    return onDone(null);
  };
  return (
    <ConfirmDialog
      title={streamText[`${step}Title`]}
      action={streamText[step]}
      isDangerous={step === 'remove'}
      failures={streamText.failures}
      onClose={onClose}
      onConfirm={send}
    >
      <p>{streamText[`${step}Text`]}</p>
    </ConfirmDialog>
  );
}
