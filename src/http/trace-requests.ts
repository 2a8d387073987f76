import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tracer } from '../platform/tracing/span-recorder.ts';

/** Health probes and scrapes are frequent and not worth tracing. */
const untraced = /^\/(health|metrics)(\/|$)/;

/**
 * Records a span for each request. It continues the caller's trace if there is a `traceparent` header. Its name is the
 * route's pattern, because the URL may be a signing link. Register it before the routes.
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
    // The span ends with the last byte of the answer, or when the client disconnects.
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
