import type { Command } from 'commander';
import { Countersign } from '../../../packages/client/src/index.ts';
import { readPlanTable } from '../../accounts/plans.ts';
import { clientEnvironment } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import type { Caller } from '../../mcp/caller.ts';
import { loadCaller } from '../../mcp/callers.ts';
import type { McpServerDeps } from '../../mcp/mcp-server.ts';
import { createQuestions } from '../../mcp/send-document.ts';
import { type HttpServer, serveHttp } from '../../mcp/serve-http.ts';
import { serveStdio } from '../../mcp/serve-stdio.ts';
import { readBuild } from '../../platform/build.ts';
import { UsageError } from '../core/arguments.ts';
import { onSignal } from '../core/on-signal.ts';
import { remark } from '../core/terminal.ts';
import { offerProfile } from './api-command.ts';
import {
  apiAddress,
  type ConnectionOptions,
  defaultBaseUrl,
  defaultProfile,
  findConnection,
  refusalOf,
} from './connection.ts';
import { findProfile, type Profile } from './profiles.ts';

interface Options extends ConnectionOptions {
  http?: boolean;
  host: string;
  port: number;
  allowedHost: readonly string[];
}

const defaultPort = 3100;

export function define(mcp: Command): void {
  offerProfile(mcp)
    .description('offer the API to an AI assistant as an MCP server, on stdin and stdout or over HTTP')
    .option('--http', 'serve streamable HTTP at /mcp: each request brings its own API key')
    .option('--host <address>', 'with --http: the address to listen on', '127.0.0.1')
    .option('--port <number>', 'with --http: the port', portOf, defaultPort)
    .option('--allowed-host <name>', 'with --http: a further name of this server; may be repeated', further, [])
    .action((options: Options) => (options.http ? overHttp(options) : overStdio(options)));
}

/** Returns when serving has begun. The process ends with stdin. */
async function overStdio(options: Options): Promise<void> {
  const connection = await findConnection(options);
  endWith(serveStdio(serverDeps(), await callerOf(connection)));
}

async function callerOf(connection: Profile): Promise<Caller> {
  try {
    return await loadCaller(connection.api_key, openClient(connection));
  } catch (error) {
    throw refusalOf(error, connection);
  }
}

/** Returns when serving has begun. */
async function overHttp({ host, port, allowedHost, ...options }: Options): Promise<void> {
  const isEverywhere = ['0.0.0.0', '::'].includes(host);
  if (isEverywhere && allowedHost.length === 0) {
    throw new UsageError(`--host ${host} needs --allowed-host with the name by which clients reach this server`);
  }
  const base_url = await baseUrlOf(options);
  const server = await serveHttp({
    ...serverDeps(),
    host,
    port,
    allowedHosts: allowedHost,
    openClient: (api_key) => openClient({ base_url, api_key }),
  }).catch((error: NodeJS.ErrnoException): HttpServer => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new OperatorError(`port ${port} of ${host} is in use: choose another with --port`);
  });
  endWith(server.close);
  if (!/^(127\.|::1$|localhost$)/.test(host)) {
    remark('API keys arrive unencrypted: put a proxy that ends TLS in front of this server');
  }
  process.stdout.write(`ready ${server.url}\n`);
}

/** Ends with exit code 0 on a signal. */
function endWith(close: () => Promise<void>): void {
  onSignal(() => void close().finally(() => process.exit(0)));
}

/** The key of a profile is not used: requests bring theirs. */
async function baseUrlOf({ profile }: ConnectionOptions): Promise<string> {
  const env = clientEnvironment();
  if (profile === undefined && env.COUNTERSIGN_BASE_URL) return apiAddress(env.COUNTERSIGN_BASE_URL);
  const named = profile ?? env.COUNTERSIGN_PROFILE;
  if (named) return (await findConnection({ profile: named })).base_url;
  return (await findProfile(defaultProfile))?.base_url ?? defaultBaseUrl;
}

/** Gives up sooner than other commands: a client of MCP waits for an answer for a minute. */
function openClient({ base_url: baseUrl, api_key: apiKey }: Profile): Countersign {
  return new Countersign({
    baseUrl,
    apiKey,
    timeoutMs: 15_000,
    retriesMax: 2,
    retryDelayMaxMs: 5000,
    inProgressWaitMaxMs: 10_000,
  });
}

function serverDeps(): McpServerDeps {
  return {
    version: readBuild().version,
    plans: readPlanTable(clientEnvironment().PLANS_FILE || null),
    questions: createQuestions(),
    report: (error) => remark(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  };
}

function portOf(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError('--port must be a whole number from 0 to 65535');
}

/** As in the `Host` header, without a port. */
function further(value: string, earlier: readonly string[]): string[] {
  if (URL.canParse(`http://${value}`) && new URL(`http://${value}`).hostname === value) return [...earlier, value];
  throw new UsageError('--allowed-host must be the name of a host, such as mcp.example.com');
}
