import { OperatorError } from './errors.ts';

/** Where traces go, and which. */
export interface TracingSettings {
  /** Base URL of the OTLP collector, without a trailing slash; `/v1/traces` is added. */
  endpoint: string;
  protocol: 'http/protobuf' | 'http/json';
  /** For the collector's authentication. */
  headers: Record<string, string>;
  serviceName: string;
  /** Share of the traces started here that is recorded, from 0 to 1. The caller's decision wins. */
  sampledShare: number;
}

/**
 * Reads OpenTelemetry's own variables (opentelemetry.io/docs/specs/otel/protocol/exporter). Null without an endpoint.
 * Throws an `OperatorError` that names the first bad one.
 */
export function readTracingSettings(env: Record<string, string | undefined>): TracingSettings | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT || null;
  if (endpoint === null) return null;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw bad('OTEL_EXPORTER_OTLP_ENDPOINT', 'must be a URL starting with http: or https:');
  }
  const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    throw bad('OTEL_EXPORTER_OTLP_PROTOCOL', 'must be one of http/protobuf, http/json');
  }
  const sampledShare = Number(env.OTEL_TRACES_SAMPLER_ARG || '1');
  if (!(sampledShare >= 0 && sampledShare <= 1)) throw bad('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    protocol,
    headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS || ''),
    serviceName: env.OTEL_SERVICE_NAME || 'countersign',
    sampledShare,
  };
}

/** `name=value` with commas between, values percent-encoded. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) *= *([\x20-\x7e]*)$/.exec(pair) ?? [];
      const decoded = value === undefined ? null : decode(value);
      if (name === undefined || decoded === null) {
        throw bad('OTEL_EXPORTER_OTLP_HEADERS', 'must look like name=value,name=value');
      }
      return [name, decoded];
    }),
  );
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

function bad(name: string, rule: string): OperatorError {
  return new OperatorError(`bad setting ${name}: it ${rule}`);
}
