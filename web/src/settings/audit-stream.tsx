import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { count, fill, formatMoment, formatNumber } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { SetStreamDialog, type Stream, type StreamStep, StreamStepDialog } from './audit-stream-dialogs.tsx';
import { streamText } from './audit-stream-texts.ts';
import { type Concern, HostConcern } from './host-concern.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

type Open = 'set' | StreamStep;
type Tested = AnswerOf<'POST', '/audit-stream/test'>;

const queryKey = ['audit stream'];
const renewMs = 5000;

/** Where the audit log is streamed to, and how that goes. Only owners see it. */
export function AuditStream() {
  const [open, setOpen] = useState<Open | null>(null);
  const [shown, setShown] = useState<{ secret: string; text: string } | null>(null);
  const [concern, setConcern] = useState<Concern>(null);
  const queryClient = useQueryClient();
  const { data, error } = useQuery({ queryKey, queryFn: () => api.get('/audit-stream'), refetchInterval: renewMs });
  const test = useMutation({ mutationFn: () => api.post('/audit-stream/test') });
  if (data === undefined) return <Problem of={error} />;
  const { stream } = data;
  const renew = () => {
    test.reset();
    return queryClient.invalidateQueries({ queryKey });
  };
  const showSecret = (secret: string | null, text: string) => {
    if (secret !== null) setShown({ secret, text });
    return renew();
  };
  return (
    <section aria-labelledby="audit-stream" className="mb-6 rounded-lg border border-rule px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="audit-stream" className="text-lg font-semibold">
          {streamText.title}
        </h2>
        {stream === null && <Button onClick={() => setOpen('set')}>{streamText.setUp}</Button>}
      </div>
      {stream === null ? (
        <p className="mt-1 max-w-2xl text-soft">{streamText.none}</p>
      ) : (
        <>
          <State of={stream} />
          <HostConcern of={concern} />
          <div className="mt-3 flex flex-wrap gap-2">
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              {streamText.test}
            </Button>
            <Button onClick={() => setOpen('set')}>{streamText.change}</Button>
            {stream.paused_at === null && <Button onClick={() => setOpen('pause')}>{streamText.pause}</Button>}
            {stream.paused_at !== null && <Button onClick={() => setOpen('resume')}>{streamText.resume}</Button>}
            {stream.paused_at === null && stream.failing_since !== null && (
              <Button onClick={() => setOpen('resume')}>{streamText.retryNow}</Button>
            )}
            {stream.kind === 'webhook' && <Button onClick={() => setOpen('roll')}>{streamText.roll}</Button>}
            <Button kind="danger" onClick={() => setOpen('remove')}>
              {streamText.remove}
            </Button>
          </div>
          <p role="status" className={`mt-2 font-medium empty:mt-0 ${test.data?.works ? 'text-good' : 'text-bad'}`}>
            {test.data !== undefined && explain(test.data)}
          </p>
          <Problem of={test.error} failures={streamText.failures} className="mt-2" />
        </>
      )}
      {open === 'set' && (
        <SetStreamDialog
          stream={stream}
          onClose={() => setOpen(null)}
          onSet={({ secret, concern: found }) => {
            setConcern(found);
            return showSecret(secret, streamText.secretText);
          }}
        />
      )}
      {open !== null && open !== 'set' && (
        <StreamStepDialog
          step={open}
          onClose={() => setOpen(null)}
          onDone={(secret) => showSecret(secret, streamText.rolledText)}
        />
      )}
      {shown !== null && (
        <ShownOnceDialog
          title={streamText.secretTitle}
          name={streamText.secretName}
          secret={shown.secret}
          onClose={() => setShown(null)}
        >
          <p>{shown.text}</p>
        </ShownOnceDialog>
      )}
    </section>
  );
}

function State({ of }: { of: Stream }) {
  const { kind, url, paused_at, failing_since, last_error, next_attempt_at } = of;
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0">
          {streamText.kinds[kind]}: <bdi className="font-semibold break-all">{url.replace('syslog+tls://', '')}</bdi>
        </span>
        {paused_at !== null && <Badge tone="warn">{streamText.states.paused}</Badge>}
        {paused_at === null && failing_since === null && <Badge tone="good">{streamText.states.active}</Badge>}
        {paused_at === null && failing_since !== null && (
          <Badge tone="bad">{fill(streamText.states.failing, { when: formatMoment(failing_since) })}</Badge>
        )}
      </p>
      {last_error !== null && (
        <p className="mt-1 wrap-anywhere text-bad">
          {fill(streamText.lastError, { reason: last_error })}.{' '}
          {paused_at === null && next_attempt_at !== null && (
            <span className="text-soft">{fill(streamText.retry, { when: formatMoment(next_attempt_at) })}</span>
          )}
        </p>
      )}
      <p className="mt-1 text-soft">
        {sentOf(of)} {waitingOf(of)}
      </p>
    </>
  );
}

function sentOf({ sent_entries, last_sent_at }: Stream): string {
  if (last_sent_at === null) return streamText.nothingSent;
  return fill(count(sent_entries, streamText.position), { when: formatMoment(last_sent_at) });
}

function waitingOf({ waiting, has_more_waiting, waiting_since }: Stream): string {
  if (waiting_since === null) return '';
  const when = formatMoment(waiting_since);
  if (has_more_waiting) return fill(streamText.manyWaiting, { n: formatNumber(waiting), when });
  return fill(count(waiting, streamText.waiting), { when });
}

function explain(result: Tested): string {
  return result.works ? streamText.works : fill(streamText.fails, { reason: result.reason });
}
