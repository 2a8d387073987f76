import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { isLocalClient } from './local-client.ts';

/** How one hand-over of a message ended. */
type MessageOutcome = 'accepted' | 'refused' | 'unavailable';
type SealOutcome = 'sealed' | 'failed';
type SweepOutcome = 'done' | 'failed';

/** What this process counts. The functions need no `this`: they are passed on as they are. */
export interface Metrics {
  messageOutcome: (outcome: MessageOutcome) => void;
  sealOutcome: (outcome: SealOutcome) => void;
  /** `sweep` is one of the names in the code, never data. */
  sweepOutcome: (sweep: string, outcome: SweepOutcome) => void;
  /** So many that are missing in the log of requests. */
  requestsUnlogged: (requests: number) => void;
  requestAnswered: (request: AnsweredRequest) => void;
  /** For what a feature counts itself. */
  registry: Registry;
  /** Everything counted, in the text format Prometheus reads. */
  text: () => Promise<string>;
  contentType: string;
}

/** Bounded values only: a route's pattern, never its URL, which may be a signing link. */
export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  code: string;
  seconds: number;
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own, so that two services in one process (the tests) count apart. */
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

/** Counts every answer of the server. Register it before the routes it should count. */
export async function countAnswers(app: FastifyInstance, { metrics }: { metrics: Metrics }): Promise<void> {
  app.addHook('onResponse', async (request, reply) => metrics.requestAnswered(answered(request, reply)));
}

/** Fastify's way to say that a plugin's hooks are for the whole server, not for its own routes alone. */
Object.assign(countAnswers, { [Symbol.for('skip-override')]: true });

/** GET /metrics on the service's own port: an unknown page to everyone but programs on this machine that ask directly. */
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
