import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Build } from '../platform/build.ts';
import type { Database } from '../postgres/database.ts';
import { isLocalClient } from './local-client.ts';

/** Result of one attempt to send a message. */
type MessageOutcome = 'accepted' | 'refused' | 'unavailable';
type SealOutcome = 'sealed' | 'failed';
type SweepOutcome = 'done' | 'failed';

/** The counters of this process. The functions can be passed on without `this`. */
export interface Metrics {
  messageOutcome: (outcome: MessageOutcome) => void;
  sealOutcome: (outcome: SealOutcome) => void;
  /** Counts a run of a scheduled job. `sweep` is a name from the code, never data. */
  sweepOutcome: (sweep: string, outcome: SweepOutcome) => void;
  /** Counts requests missing in the request log. */
  requestsUnlogged: (requests: number) => void;
  requestAnswered: (request: AnsweredRequest) => void;
  /** Registry for a feature's own metrics. */
  registry: Registry;
  /** All metrics in the text format of Prometheus. */
  text: () => Promise<string>;
  contentType: string;
}

/** Only bounded values: the route's pattern and never its URL, which may be a signing link. */
export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  code: string;
  seconds: number;
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates metrics with their own registry, so that two services in one process (in tests) count separately. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });

  const requests = counter('countersign_http_requests_total', 'Requests answered.', [
    'method',
    'route',
    'status',
    'code',
  ]);
  const durations = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBucketsSeconds,
    registers: [registry],
  });
  const messages = counter('countersign_messages_total', 'Attempts to hand over an e-mail or SMS.', ['outcome']);
  const seals = counter('countersign_seals_total', 'Attempts to seal a completed document.', ['outcome']);
  const sweeps = counter('countersign_sweeps_total', 'Runs of recurring work.', ['sweep', 'outcome']);

  const unlogged = counter('countersign_requests_unlogged_total', 'Requests missing in the log of requests.', []);

  return {
    messageOutcome: (outcome) => messages.inc({ outcome }),
    sealOutcome: (outcome) => seals.inc({ outcome }),
    sweepOutcome: (sweep, outcome) => sweeps.inc({ sweep, outcome }),
    requestsUnlogged: (requests) => unlogged.inc(requests),
    requestAnswered({ method, route, status, code, seconds }) {
      requests.inc({ method, route, status, code });
      durations.observe({ method, route, status }, seconds);
    },
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Adds the connections of a process to the database, and how many callers wait for one. */
export function showConnections(registry: Registry, { connections }: Pick<Database, 'connections'>): void {
  new Gauge({
    name: 'countersign_database_connections',
    help: 'Connections of the main pool that are used or idle, and callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
}

/** Adds the version and the commit, to tell one release from another while they are being replaced. */
export function showBuild(registry: Registry, { version, commit }: Build): void {
  const labelNames = ['version', 'commit'] as const;
  const gauge = new Gauge({
    name: 'countersign_build_info',
    help: 'Always 1, with the version and the commit of this process.',
    labelNames,
    registers: [registry],
  });
  gauge.set({ version, commit: commit ?? '' }, 1);
}

/** Counts every answer of the server. Register it before the routes that it should count. */
export async function countAnswers(app: FastifyInstance, { metrics }: { metrics: Metrics }): Promise<void> {
  app.addHook('onResponse', async (request, reply) => metrics.requestAnswered(answered(request, reply)));
}

/** Makes Fastify apply the plugin's hooks to the whole server. */
Object.assign(countAnswers, { [Symbol.for('skip-override')]: true });

/**
 * Serves GET /metrics on the service's own port to programs on this machine that connect directly. Everyone else gets
 * 404.
 */
export async function metricsRoutes(app: FastifyInstance, { metrics }: { metrics: Metrics }): Promise<void> {
  app.get('/metrics', { config: { isHidden: true } }, async (request, reply) => {
    if (!isLocalClient(request.raw)) return reply.callNotFound();
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

function answered(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  return {
    method: request.method,
    route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
    status: reply.statusCode,
    code: request.errorCode ?? '',
    seconds: reply.elapsedTime / 1000,
  };
}
