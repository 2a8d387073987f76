import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tracer } from '../world/tracing/spans.ts';

/** Probes and scrapes come every few seconds and say nothing. */
const untraced = /^\/(health|metrics)(\/|$)/;

/**
 * A span for each request, which continues the caller's trace when a `traceparent` header names one. It is named by the
 * route's pattern, never by the URL: a signing link is a secret. Register it before the routes.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (untraced.test(route)) return done();
    const caller = propagation.extract(context.active(), request.headers);
    const span = tracer().startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'countersign.request_id': request.id,
        },
      },
      caller,
    );
    // The answer's last byte, or the client's going away.
    reply.raw.once('close', () => {
      describeAnswer(request, reply);
      span.end();
    });
    const describeAnswer = ({ errorCode }: FastifyRequest, { raw }: FastifyReply) => {
      span.setAttribute('http.response.status_code', raw.statusCode);
      if (errorCode !== undefined) span.setAttribute('error.type', errorCode);
      if (raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    };
    context.with(trace.setSpan(caller, span), done);
  });
}
