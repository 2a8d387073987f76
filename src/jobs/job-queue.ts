import { setTimeout as sleep } from 'node:timers/promises';
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Job, JobQueue } from '../messages/job-queue.ts';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { openLogContext } from '../platform/log-context.ts';
import { currentTraceparent, inSpan } from '../platform/tracing/spans.ts';
import { DatabaseFailure, type Tx } from '../postgres/database.ts';
import { listen, type Notification } from '../postgres/listen.ts';
import { type Crew, createCrew } from './crew.ts';
import { errorText } from './error-text.ts';
import {
  type FailedJob,
  type FailedPage,
  failedJobsIndexSql,
  findFailed,
  findFailedAt,
  retryFailed,
} from './failed-jobs.ts';
import { inTransaction } from './in-transaction.ts';
import { createPlaces, type Places } from './places.ts';
import { channelOf, queueNames, queues } from './queues.ts';

/**
 * The queue: pg-boss in the service's own database, so that a job commits with the change that asks for it. Workers
 * are woken by NOTIFY after the commit, with polling underneath. pg-boss's own NOTIFY is off: it is sent inside the
 * transaction, where it makes commits wait for each other.
 */
export interface RunningQueue extends JobQueue {
  /** Starts the workers of a queue. `handle` gets one job; throwing retries it with back-off. */
  work<Name extends Job['name']>(
    name: Name,
    concurrency: Concurrency,
    handle: (job: WorkedJob<Name>) => Promise<void>,
  ): Promise<void>;
  /** How many jobs each queue holds. Up to five seconds old, and older while no worker runs. */
  depths(): Promise<QueueDepth[]>;
  /** Since when the next job could be worked on, by queue. Queues without one are left out. */
  readySince(): Promise<Map<string, Date>>;
  /** As `depths`, with the failed jobs that can still be retried. */
  overview(): Promise<QueueOverview[]>;
  /** Lists jobs that were given up, those that failed last first. Null: another operator has retried the one that `page` is after. */
  failed(page: FailedPage): Promise<FailedJob[] | null>;
  /** Finds a job that was given up. Null: there is none, or it was retried. */
  findFailed(id: string): Promise<FailedJob | null>;
  /**
   * Enqueues jobs of a queue again that were given up. Returns how many: a job that was retried already, or whose document has
   * another job waiting, is left as it is.
   */
  retry(tx: Tx, queue: Job['name'], ids: readonly string[]): Promise<number>;
  /** Lets running jobs finish, then hands back what is still claimed. Takes no longer, whatever the database does. */
  stop(withinMs?: number): Promise<void>;
}

export interface Concurrency {
  /** How many workers look for jobs and work on them, each on its own. */
  workers: number;
  /**
   * How many jobs a worker takes at once, 1 by default. It works on them side by side, and takes new ones when the last has
   * ended: for many small jobs, of which each would cost less than looking for it.
   */
  batch?: number;
}

export interface QueueDepth {
  queue: string;
  /** Jobs that can be worked on now. */
  ready: number;
  /** Jobs that wait for their time, most of them for the next attempt. */
  delayed: number;
  active: number;
}

export interface QueueOverview extends QueueDepth {
  /** Jobs that were given up. They are deleted a day later. */
  failed: number;
  ready_since: Date | null;
}

/** A job that continues the trace of the change that enqueued it. */
type Traced<T> = T & { traceparent?: string };

export interface WorkedJob<Name extends Job['name']> {
  data: Extract<Job, { name: Name }>;
  /** Which attempt this is, from 1. */
  attempt: number;
  /** No further attempt follows this one. */
  isLastAttempt: boolean;
  /** Ends this job and enqueues it again, behind the others, in the caller's transaction. */
  again(tx: Tx): Promise<void>;
}

/** A worker that died is noticed within this many seconds (the least pg-boss allows is 10), and its job given to another. */
const heartbeatSeconds = 10;
const stopMsDefault = 5000;
/** To hand jobs back and close the connections. */
const handBackMs = 1000;

/** A connection whose other end fell silent is given up and replaced. */
const patience = { query_timeout: 5000 };
/** Notifications are lost with the connection they come on, and none tells that the time for a retry has come. */
const pollingSeconds = 3;

const connection = (url: string) => ({ connectionString: url, application_name: 'countersign jobs', schema: 'jobs' });

/** Installs or upgrades the queue's own schema. Safe to run from several processes at once. */
export async function migrateQueue(databaseUrl: string, log: Log): Promise<void> {
  const boss = new PgBoss({ ...connection(databaseUrl), supervise: false, schedule: false, max: 1 });
  boss.on('error', (error) => log.warn('job queue', { error }));
  await boss.start();
  try {
    for (const [name, settings] of Object.entries(queues)) {
      const { policy, secondsApart: _, ...limits } = settings;
      const options = { ...limits, retryBackoff: true, heartbeatSeconds, notify: false, deleteAfterSeconds: 86_400 };
      if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { ...options, policy });
      else await boss.updateQueue(name, options);
    }
    await boss.getDb().executeSql(failedJobsIndexSql);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** `works` is false for a process that only enqueues (ROLE=web). */
export async function startQueue(databaseUrl: string, log: Log, works: boolean): Promise<RunningQueue> {
  const boss = new PgBoss({
    ...connection(databaseUrl),
    ...patience,
    migrate: false,
    schedule: false,
    supervise: works,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 300,
    max: works ? 4 : 1,
  });
  boss.on('error', (error) => log.warn('job queue', { error }));
  boss.on('warning', (warning) => log.debug('job queue', { warning }));
  await boss.start().catch(failedInDatabase);
  const places = createPlaces(systemClock, async () => new Set((await readReadySince(boss)).keys()));

  const crews = new Map<string, Crew>();
  const wake = (notification: Notification | null) => {
    if (notification !== null) crews.get(notification.channel)?.announce();
    else for (const crew of crews.values()) crew.announce();
  };
  const listener = works ? listen(databaseUrl, queueNames().map(channelOf), log, wake) : null;

  return {
    async enqueue(tx, jobs) {
      for (const [name, batch] of groupByName(jobs)) await insert(boss, places, tx, name, batch);
    },
    async work(name, { workers, batch = 1 }, handle) {
      const options = {
        includeMetadata: true,
        batchSize: batch,
        perJobResults: true,
        pollingIntervalSeconds: pollingSeconds,
        notifyPollingIntervalSeconds: pollingSeconds,
      } as const;
      const run = async (job: JobWithMetadata<Traced<WorkedJob<typeof name>['data']>>): Promise<JobResult> => {
        const accountId = accountIdOf(job.data);
        const context = openLogContext({
          job_id: job.id,
          job: name,
          ...(accountId !== null && { account_id: accountId }),
        });
        const parent = job.data.traceparent ?? null;
        try {
          await inSpan(name, { kind: 'consumer', parent, attributes: { 'countersign.job_id': job.id } }, () =>
            context.run(() =>
              handle({
                data: job.data,
                attempt: job.retryCount + 1,
                isLastAttempt: job.retryCount >= job.retryLimit,
                again: (tx) => repeat(boss, places, tx, job),
              }),
            ),
          );
          return { id: job.id, status: 'completed' };
        } catch (error) {
          context.run(() => log.warn('a job failed', { attempt: job.retryCount + 1, ...reasonOf(job.data, error) }));
          return { id: job.id, status: 'failed', output: error as object };
        } finally {
          context.end();
        }
      };
      const crew = createCrew((id) => boss.notifyWorker(id));
      crews.set(channelOf(name), crew);
      for (let count = 0; count < workers; count++) {
        const id: string = await boss.work(name, options, (claimed: Parameters<typeof run>[0][]) =>
          crew.during(id, claimed.length === batch, () => Promise.all(claimed.map(run))),
        );
        crew.add(id);
      }
    },
    async depths() {
      const counted = await boss.getQueues(queueNames()).catch(failedInDatabase);
      return counted.map(({ name, readyCount, deferredCount, activeCount }) => {
        return { queue: name, ready: readyCount, delayed: deferredCount, active: activeCount };
      });
    },
    readySince: () => readReadySince(boss),
    async overview() {
      const [counted, since] = await Promise.all([
        boss.getQueues(queueNames()).catch(failedInDatabase),
        readReadySince(boss),
      ]);
      return counted.map(({ name, readyCount, deferredCount, activeCount, failedCount }) => {
        const jobs = { ready: readyCount, delayed: deferredCount, active: activeCount, failed: failedCount };
        return { queue: name, ...jobs, ready_since: since.get(name) ?? null };
      });
    },
    failed: (page) => findFailed(boss, page).catch(failedInDatabase),
    findFailed: (id) => findFailedAt(boss, id).catch(failedInDatabase),
    retry: (tx, name, ids) => retryFailed(boss, tx, name, ids),
    async stop(withinMs = stopMsDefault) {
      const stopped = Promise.all([listener?.stop(), boss.stop({ graceful: true, timeout: withinMs - handBackMs })]);
      await Promise.race([stopped, sleep(withinMs, undefined, { ref: false })]);
    },
  };
}

async function readReadySince(boss: PgBoss): Promise<Map<string, Date>> {
  const { rows } = await boss.getDb().executeSql(readySinceSql, [queueNames()]).catch(failedInDatabase);
  return new Map(rows.map(({ queue, since }: { queue: string; since: Date }) => [queue, since]));
}

/** In the order in which workers claim, so that an index answers it however long a queue is. */
const readySinceSql = `
  select queue.name as queue, first.since from unnest($1::text[]) as queue (name)
  cross join lateral (
    select start_after as since from jobs.job
    where name = queue.name and state < 'active' and not blocked and start_after <= now()
    order by priority desc, created_on limit 1
  ) first`;

/** Errors of messages stay out of the log, because they quote mail servers, which may name the recipient. */
function reasonOf(job: Job, error: unknown): { reason?: string } {
  if (messageOf(job) !== null) return {};
  const { message, code, name }: Partial<Error> & { code?: unknown } = error instanceof Error ? error : {};
  return { reason: errorText(message || String(code ?? name ?? error)) };
}

function failedInDatabase(cause: unknown): never {
  throw new DatabaseFailure(cause);
}

function accountIdOf(job: Job): string | null {
  return 'accountId' in job ? job.accountId : null;
}

/**
 * Completes a job and inserts the next one in the same transaction: while a job of an exclusive queue is active, another one
 * with its key is dropped.
 */
async function repeat(boss: PgBoss, places: Places, tx: Tx, job: JobWithMetadata<Traced<Job>>): Promise<void> {
  await boss.complete(job.name, { id: job.id, retryCount: job.retryCount }, null, { db: inTransaction(tx) });
  await insert(boss, places, tx, job.name as Job['name'], [job.data]);
}

/** Inserts jobs of one queue in the caller's transaction, and wakes the queue's workers after the commit. */
async function insert(boss: PgBoss, places: Places, tx: Tx, name: Job['name'], jobs: Job[]): Promise<void> {
  tx.notify(channelOf(name));
  const placed = jobs.map((job) => toInsert(job, places.next(name, accountIdOf(job))));
  await boss.insert(name, placed, { db: inTransaction(tx) });
}

function toInsert(job: Job, priority: number) {
  const traceparent = currentTraceparent();
  const data: Traced<Job> = traceparent === null ? job : { ...job, traceparent };
  const key = queues[job.name].policy === 'exclusive' ? subjectOf(job) : null;
  const id = messageOf(job);
  return { data, priority, ...(id !== null && { id }), ...(key !== null && { singletonKey: key }) };
}

/** The job that delivers a message has its id, so that the message's next attempt can be found. */
function messageOf(job: Job): string | null {
  if ('messageId' in job) return job.messageId;
  return 'noticeId' in job ? job.noticeId : null;
}

/** A document, an act or a bulk send has one job of a kind at a time, however often it is asked for. */
function subjectOf(job: Job): string | null {
  // A job that runs may have read the acts already, so the next act has its own.
  if (job.name === 'attest-act') return `${job.documentId} ${job.entry}`;
  if ('bulkSendId' in job) return job.bulkSendId;
  return 'documentId' in job ? job.documentId : null;
}

function groupByName(jobs: Job[]): Map<Job['name'], Job[]> {
  const groups = new Map<Job['name'], Job[]>();
  for (const job of jobs) groups.set(job.name, [...(groups.get(job.name) ?? []), job]);
  return groups;
}
