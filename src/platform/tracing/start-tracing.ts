import { context, diag, propagation, trace } from '@opentelemetry/api';
import type { TracingSettings } from '../../tracing-settings.ts';
import type { Log } from '../log.ts';
import { spanRecorder } from './span-recorder.ts';
import { recordSpans } from './spans.ts';

/** A collector that is away must not hold up the end of the process. */
const lastSendMs = 2000;

/**
 * Sends spans to the OpenTelemetry collector of the settings, in batches and in the background. A collector that does
 * not answer costs the spans and a warning, nothing else. `stop` sends what is left, for at most two seconds.
 *
 * One process has one tracer provider: it is the global of `@opentelemetry/api`.
 */
export async function startTracing(
  settings: TracingSettings,
  log: Log,
): Promise<{ stop(msLeft: number): Promise<void> }> {
  const [
    sdk,
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    { resourceFromAttributes },
    exporter,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    openExporter(settings),
  ]);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.sampledShare) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  diag.setLogger({
    error: (message) => log.warn('traces could not be sent', { cause: message }),
    warn: (message) => log.debug('tracing', { cause: message }),
    info: () => {},
    debug: () => {},
    verbose: () => {},
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  recordSpans(spanRecorder);
  return {
    async stop(msLeft) {
      const late = new Promise((resolve) => setTimeout(resolve, Math.min(msLeft, lastSendMs)).unref());
      await Promise.race([provider.shutdown(), late]).catch((error) => log.warn('traces could not be sent', { error }));
      recordSpans(null);
      trace.disable();
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
}

async function openExporter({ endpoint, protocol, headers }: TracingSettings) {
  const options = { url: `${endpoint}/v1/traces`, headers };
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter(options);
}
