import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, api } from '../api/client.ts';
import { type ItemOf, useList } from '../api/list.ts';
import { count, fill, formatNumber } from '../language.ts';
import { Cell, Row, Rows } from '../settings/rows.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { Facts, formatCount } from './facts.tsx';
import { ListEnd } from './list-end.tsx';
import { failures, operatorText } from './texts.ts';

const { queues: text } = operatorText;
const renewMs = 10_000;

type QueuesAnswer = AnswerOf<'GET', '/operator/queues'>;
type QueueName = QueuesAnswer['queues'][number]['queue'];
type FailedJob = ItemOf<'/operator/jobs'>;

/** The queues, what is stuck, and the jobs that were given up. */
export function Queues() {
  const [said, setSaid] = useState('');
  const queryClient = useQueryClient();
  const { data, error, isPending } = useQuery({
    queryKey: ['operator', 'queues'],
    queryFn: () => api.get('/operator/queues'),
    refetchInterval: renewMs,
  });
  const onRetried = async (retried: number) => {
    setSaid(count(retried, text.retried));
    await queryClient.invalidateQueries({ queryKey: ['operator'] });
  };
  return (
    <>
      <Problem of={error} failures={failures} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <>
          <QueueTable queues={data.queues} />
          <p className="mt-2 text-sm text-soft">{text.age}</p>
          <Stuck of={data} />
        </>
      )}
      <FailedJobs names={data?.queues.map(({ queue }) => queue) ?? []} said={said} onRetried={onRetried} />
    </>
  );
}

function QueueTable({ queues }: Pick<QueuesAnswer, 'queues'>) {
  const { columns } = text;
  return (
    <Rows caption={operatorText.tabs.queues} columns={Object.values(columns)}>
      {queues.map(({ queue, ready, delayed, active, failed, ready_since }) => (
        <Row key={queue}>
          <Cell className="font-semibold">{text.names[queue] ?? queue}</Cell>
          <Cell label={columns.ready} className="tabular-nums">
            {formatNumber(ready)}
          </Cell>
          <Cell label={columns.delayed} className="tabular-nums">
            {formatNumber(delayed)}
          </Cell>
          <Cell label={columns.active} className="tabular-nums">
            {formatNumber(active)}
          </Cell>
          <Cell label={columns.failed} className={`tabular-nums ${failed > 0 ? 'font-semibold text-bad' : ''}`}>
            {formatNumber(failed)}
          </Cell>
          <Cell label={columns.since} className="text-sm whitespace-nowrap text-soft">
            {ready_since === null ? '–' : <Time at={String(ready_since)} />}
          </Cell>
        </Row>
      ))}
    </Rows>
  );
}

function Stuck({ of }: { of: QueuesAnswer }) {
  return (
    <section aria-labelledby="stuck" className="mt-8">
      <h2 id="stuck" className="mb-3 text-xl">
        {text.stuck}
      </h2>
      <Facts
        facts={[
          [text.deadDeliveries, formatCount(of.dead_deliveries)],
          [text.stoppedSeals, formatCount(of.stopped_seals)],
        ]}
      />
      {of.stopped.length > 0 && (
        <>
          <p className="mt-3 max-w-2xl text-soft">{text.stoppedHint}</p>
          <ul className="mt-2 grid gap-1 text-sm">
            {of.stopped.map(({ document_id, account_id, account_name }) => (
              <li key={document_id} className="wrap-anywhere">
                <code>{document_id}</code> · <CompanyLink id={account_id} name={account_name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function CompanyLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to="/operator/$" params={{ _splat: `companies/${id}` }} className="text-accent underline">
      <bdi>{name}</bdi>
    </Link>
  );
}

interface FailedJobsProps {
  names: readonly QueueName[];
  said: string;
  onRetried: (retried: number) => Promise<void>;
}

function FailedJobs({ names, said, onRetried }: FailedJobsProps) {
  const [queue, setQueue] = useState<QueueName | ''>('');
  const [isAsking, setAsking] = useState(false);
  const list = useList(['operator', 'jobs', queue], '/operator/jobs', { query: { queue } });
  const { items, isPending, error } = list;
  return (
    <section aria-labelledby="failed" className="mt-8">
      <h2 id="failed" className="text-xl">
        {text.failedTitle}
      </h2>
      <p className="mt-1 max-w-2xl text-soft">{text.failedText}</p>
      <div className="my-3 flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-72">
          <Select label={text.queue} value={queue} onChange={({ target }) => setQueue(target.value as QueueName | '')}>
            <option value="">{text.allQueues}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {text.names[name] ?? name}
              </option>
            ))}
          </Select>
        </div>
        {queue !== '' && items.length > 0 && <Button onClick={() => setAsking(true)}>{text.retryAll}</Button>}
      </div>
      <p role="status" className="mb-2 font-medium text-good empty:absolute">
        {said}
      </p>
      <Problem of={error} failures={failures} />
      {!isPending && error === null && items.length === 0 && <p className="text-soft">{text.none}</p>}
      {items.length > 0 && <FailedRows jobs={items} onRetried={onRetried} />}
      <ListEnd list={list} />
      {isAsking && queue !== '' && (
        <ConfirmDialog
          title={text.retryAllTitle}
          action={text.retryAll}
          failures={failures}
          onConfirm={async () => {
            const { retried } = await api.post('/operator/jobs/retry-all', { body: { queue } });
            await onRetried(retried);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{fill(text.retryAllText, { queue: text.names[queue] ?? queue })}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function FailedRows({
  jobs,
  onRetried,
}: {
  jobs: readonly FailedJob[];
  onRetried: (retried: number) => Promise<void>;
}) {
  const { jobColumns: columns } = text;
  const retry = useMutation({
    mutationFn: async ({ id }: FailedJob) => {
      const { retried } = await api.post('/operator/jobs/retry', { body: { id } });
      await onRetried(retried ? 1 : 0);
    },
  });
  return (
    <>
      <Problem of={retry.error} failures={failures} className="mb-3" />
      <Rows caption={text.failedTitle} columns={Object.values(columns)}>
        {jobs.map((job) => (
          <Row key={job.id}>
            <Cell className="font-semibold">
              <span id={`job-${job.id}`}>{text.names[job.queue] ?? job.queue}</span>
              <span className="block text-sm font-normal whitespace-nowrap text-soft">
                <Time at={job.failed_at} /> · {count(job.tries, text.tries)}
              </span>
            </Cell>
            <Cell label={columns.error} className="max-w-md text-sm wrap-anywhere">
              {job.error ?? '–'}
            </Cell>
            <Cell label={columns.company} className="text-sm wrap-anywhere">
              {job.account_id === null ? '–' : <CompanyLink id={job.account_id} name={job.account_name ?? ''} />}
              {job.document_id !== null && <code className="block text-xs text-soft">{job.document_id}</code>}
            </Cell>
            <Cell>
              <Button
                aria-describedby={`job-${job.id}`}
                isBusy={retry.isPending && retry.variables.id === job.id}
                onClick={() => retry.mutate(job)}
              >
                {text.retry}
              </Button>
            </Cell>
          </Row>
        ))}
      </Rows>
    </>
  );
}
