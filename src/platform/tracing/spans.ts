import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** What a span is, without the name. */
export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** Continues the trace of this `traceparent`. Undefined: of the current span. Null: starts a trace. */
  parent?: string | null | undefined;
  /** Ids, counts and route patterns. Never a link, a token, an address or a name. */
  attributes?: Attributes;
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

export const tracer = () => trace.getTracer('countersign');

/**
 * Runs `work` in a span. A failure is recorded by the error's name alone, because messages may hold contact details.
 * Without OTEL_EXPORTER_OTLP_ENDPOINT it only runs `work`.
 */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const { kind = 'internal', attributes = {}, parent } = options;
  const from = parent === undefined ? context.active() : continuedFrom(parent);
  return tracer().startActiveSpan(name, { kind: kinds[kind], attributes }, from, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The W3C `traceparent` of the current span, kept in a job or a row so that the trace continues there. Null: none. */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** The context of a `traceparent`. One that is malformed starts a new trace. */
function continuedFrom(traceparent: string | null) {
  return traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}
