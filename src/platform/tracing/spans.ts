import type { Attributes } from '@opentelemetry/api';

/** What a span is, without the name. */
export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** Continues the trace of this `traceparent`. Undefined: of the current span. Null: starts a trace. */
  parent?: string | null | undefined;
  /** Ids, counts and route patterns. Never a link, a token, an address or a name. */
  attributes?: Attributes;
}

export interface SpanRecorder {
  inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  currentTraceparent(): string | null;
}

/** Set by `startTracing` alone, so that the SDK of OpenTelemetry is not loaded without OTEL_EXPORTER_OTLP_ENDPOINT. */
let recorder: SpanRecorder | null = null;

/** Null stops recording. */
export function recordSpans(by: SpanRecorder | null): void {
  recorder = by;
}

/** Runs `work`, in a span while the process is traced. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return recorder === null ? work() : recorder.inSpan(name, options, work);
}

/** The W3C `traceparent` of the current span, kept in a job or a row so that the trace continues there. Null: none. */
export function currentTraceparent(): string | null {
  return recorder?.currentTraceparent() ?? null;
}
