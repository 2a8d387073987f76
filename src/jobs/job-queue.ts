import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Job, JobQueue } from '../messages/job-queue.ts';
import type { Log } from '../platform/log.ts';
import { openLogContext } from '../platform/log-context.ts';
import { currentTraceparent, inSpan } from '../platform/tracing/spans.ts';
import { DatabaseFailure, type Tx } from '../postgres/database.ts';
import { listen, type Notification } from '../postgres/listen.ts';
import { type Crew, createCrew } from './crew.ts';

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
  /** Since when the job that is ready the longest could be worked on, by queue. Queues without one are left out. */
  readySince(): Promise<Map<string, Date>>;
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

/** The names of all queues. */
export const queueNames = (): Job['name'][] => Object.keys(queues) as Job['name'][];

/** A job that continues the trace of the change that enqueued it. */
type Traced<T> = T & { traceparent?: string };

export interface WorkedJob<Name extends Job['name']> {
  data: Extract<Job, { name: Name }>;
  /** No further attempt follows this one. */
  isLastAttempt: boolean;
  /** Ends this job and enqueues it again, behind the others, in the caller's transaction. */
  again(tx: Tx): Promise<void>;
}

interface QueueSettings {
  policy: 'standard' | 'exclusive';
  retryLimit: number;
  retryDelay: number;
  retryDelayMax: number;
  expireInSeconds: number;
}

/* biome-ignore format: a table reads as a table */
const queues: Record<Job['name'], QueueSettings> = {
  // Back-off of 5 s doubling to an hour: about twelve hours of trying.
  'deliver-message': { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  'deliver-notice':  { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  // Sealing is never given up on: what is left after a day of trying, the sweep enqueues again.
  'seal-document':   { policy: 'exclusive', retryLimit: 30, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  // A large scanned file takes its time; one that was cut off five times is given up by its own count.
  'unlock-document': { policy: 'exclusive', retryLimit: 10, retryDelay: 5, retryDelayMax: 600,  expireInSeconds: 1200 },
  // The scheduled job enqueues what is left after the last attempt.
  'send-bulk-rows':  { policy: 'exclusive', retryLimit: 20, retryDelay: 5, retryDelayMax: 600,  expireInSeconds: 120 },
  'tell-owner':      { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  'ask-owner':       { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  'tell-of-review':  { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  'tell-of-schedule': { policy: 'standard', retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  'tell-of-export':  { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
  'notify-new-browser': { policy: 'standard', retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120 },
};

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
      const { policy, ...limits } = settings;
      const options = { ...limits, retryBackoff: true, heartbeatSeconds, notify: false, deleteAfterSeconds: 86_400 };
      if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { ...options, policy });
      else await boss.updateQueue(name, options);
    }
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
  await boss.start();

  const crews = new Map<string, Crew>();
  const wake = (notification: Notification | null) => {
    if (notification !== null) crews.get(notification.channel)?.announce();
    else for (const crew of crews.values()) crew.announce();
  };
  const listener = works ? listen(databaseUrl, queueNames().map(channelOf), log, wake) : null;

  return {
    async enqueue(tx, jobs) {
      for (const [name, batch] of groupByName(jobs)) await insert(boss, tx, name, batch);
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
        const context = openLogContext({ job_id: job.id, job: name, ...accountOf(job.data) });
        const parent = job.data.traceparent ?? null;
        try {
          await inSpan(name, { kind: 'consumer', parent, attributes: { 'countersign.job_id': job.id } }, () =>
            context.run(() =>
              handle({
                data: job.data,
                isLastAttempt: job.retryCount >= job.retryLimit,
                again: (tx) => repeat(boss, tx, job),
              }),
            ),
          );
          return { id: job.id, status: 'completed' };
        } catch (error) {
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
    async readySince() {
      const { rows } = await boss.getDb().executeSql(readySinceSql, [queueNames()]).catch(failedInDatabase);
      return new Map(rows.map(({ queue, since }: { queue: string; since: Date }) => [queue, since]));
    },
    async stop(withinMs = stopMsDefault) {
      const stopped = Promise.all([listener?.stop(), boss.stop({ graceful: true, timeout: withinMs - handBackMs })]);
      await Promise.race([stopped, sleep(withinMs, undefined, { ref: false })]);
    },
  };
}

/** In the order in which workers claim, so that an index answers it however long a queue is. */
const readySinceSql = `
  select queue.name as queue, first.since from unnest($1::text[]) as queue (name)
  cross join lateral (
    select start_after as since from jobs.job
    where name = queue.name and state < 'active' and not blocked and start_after <= now()
    order by priority desc, created_on limit 1
  ) first`;

function failedInDatabase(cause: unknown): never {
  throw new DatabaseFailure(cause);
}

function accountOf(job: Job): { account_id?: string } {
  return 'accountId' in job ? { account_id: job.accountId } : {};
}

/**
 * Completes a job and inserts the next one in the same transaction: while a job of an exclusive queue is active, another one
 * with its key is dropped.
 */
async function repeat(boss: PgBoss, tx: Tx, job: JobWithMetadata<Traced<Job>>): Promise<void> {
  await boss.complete(job.name, { id: job.id, retryCount: job.retryCount }, null, { db: inTransaction(tx) });
  await insert(boss, tx, job.name as Job['name'], [job.data]);
}

/** Inserts jobs of one queue in the caller's transaction, and wakes the queue's workers after the commit. */
async function insert(boss: PgBoss, tx: Tx, name: Job['name'], jobs: Job[]): Promise<void> {
  tx.notify(channelOf(name));
  await boss.insert(name, jobs.map(toInsert), { db: inTransaction(tx) });
}

/** The NOTIFY channel of a queue's workers. */
function channelOf(name: Job['name']): string {
  return `jobs_${name.replaceAll('-', '_')}`;
}

function toInsert(job: Job) {
  const traceparent = currentTraceparent();
  const data: Traced<Job> = traceparent === null ? job : { ...job, traceparent };
  const key = queues[job.name].policy === 'exclusive' ? subjectOf(job) : null;
  const id = messageOf(job);
  return { data, ...(id !== null && { id }), ...(key !== null && { singletonKey: key }) };
}

/** The job that delivers a message has its id, so that the message's next attempt can be found. */
function messageOf(job: Job): string | null {
  if ('messageId' in job) return job.messageId;
  return 'noticeId' in job ? job.noticeId : null;
}

/** A document or a bulk send has one job of a kind at a time, however often it is asked for. */
function subjectOf(job: Job): string | null {
  if ('bulkSendId' in job) return job.bulkSendId;
  return 'documentId' in job ? job.documentId : null;
}

/** pg-boss writes its row through our transaction: the job exists if and only if the change commits. */
function inTransaction(tx: Tx) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      return { rows: await tx.query<Record<string, unknown>>({ name: statementName(text), text, values }) };
    },
  };
}

const statementNames = new Map<string, string>();

/**
 * Names a statement by its text, so that each connection plans it once: planning an insert costs more than running it. There
 * is one text for each queue.
 */
function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = `queue_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  statementNames.set(text, name);
  return name;
}

function groupByName(jobs: Job[]): Map<Job['name'], Job[]> {
  const groups = new Map<Job['name'], Job[]>();
  for (const job of jobs) groups.set(job.name, [...(groups.get(job.name) ?? []), job]);
  return groups;
}
