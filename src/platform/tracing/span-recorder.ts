import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { SpanOptions, SpanRecorder } from './spans.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

export const tracer = () => trace.getTracer('countersign');

/** Records spans with the tracer provider of the process. */
export const spanRecorder: SpanRecorder = { inSpan, currentTraceparent };

/** A failure is recorded by the error's name alone, because messages may hold contact details. */
function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
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

function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** The context of a `traceparent`. One that is malformed starts a new trace. */
function continuedFrom(traceparent: string | null) {
  return traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}
