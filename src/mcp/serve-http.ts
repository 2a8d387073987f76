import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Countersign } from '../../packages/client/src/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Caller } from './caller.ts';
import { createCallers } from './callers.ts';
import { admissionRefusal, refusal, unauthorized } from './http-answers.ts';
import { createSessions } from './http-sessions.ts';
import { createServer, type McpServerDeps } from './mcp-server.ts';
import { toRequest, writeResponse } from './node-http.ts';

export interface HttpOptions extends McpServerDeps {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Further names by which clients reach this server. */
  allowedHosts: readonly string[];
  openClient(key: string): Countersign;
}

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

const path = '/mcp';
const methods = ['GET', 'POST', 'DELETE'];
/** Far more than the longest input of a tool. */
const bodyBytesMax = 1024 * 1024;
const bearer = /^Bearer +([\x21-\x7e]{1,200})$/i;

/**
 * Serves streamable HTTP at `/mcp`. Holds no key: each request brings its own. Rejects with the error of `listen` when the
 * address can't be used.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const callers = createCallers(systemClock, options.openClient);
  const sessions = createSessions(systemClock, (caller) => createServer(options, caller));
  const handler = createMcpHandler(({ authInfo }) => createServer(options, authInfo?.extra?.caller as Caller), {
    legacy: 'reject',
  });
  const hostnames = [...localhostAllowedHostnames(), bracketed(options.host), ...options.allowedHosts];

  async function answer(request: Request | null): Promise<Response> {
    if (request === null) return refusal(413, 'The body is too large.', { connection: 'close' });
    if (new URL(request.url).pathname !== path) return refusal(404, `Not found. This server answers at ${path}.`);
    const key = bearer.exec(request.headers.get('authorization') ?? '')?.[1];
    if (key === undefined) return unauthorized('Send an API key in the header "Authorization: Bearer …".');
    let caller: Caller;
    try {
      caller = await callers.find(key);
    } catch (error) {
      const refused = admissionRefusal(error);
      if (refused === null) throw error;
      return refused;
    }
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize: bodyBytesMax })) {
      return sessions.handle(request, caller);
    }
    // Each handler gets the caller. The key itself stays here.
    const authInfo = { token: '', clientId: caller.id, scopes: [...caller.account.scopes], extra: { caller } };
    return handler.fetch(request, { authInfo });
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const aborting = new AbortController();
    outgoing.on('close', () => aborting.abort());
    let response: Response;
    try {
      response = refusalOf(incoming) ?? (await answer(await toRequest(incoming, aborting.signal, bodyBytesMax)));
    } catch (error) {
      if (aborting.signal.aborted) return;
      options.report(error);
      response = refusal(500, 'The MCP server failed. Its log says why.');
    }
    await writeResponse(response, outgoing);
  }

  function refusalOf({ method = '', headers: { host, origin } }: IncomingMessage): Response | null {
    if (!validateHostHeader(host, hostnames).ok || !validateOriginHeader(origin, hostnames).ok) {
      return refusal(403, 'This Host or Origin is not allowed. Start the server with --allowed-host to allow it.');
    }
    return methods.includes(method) ? null : refusal(405, 'Method not allowed.', { allow: methods.join(', ') });
  }

  const http = createHttpServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject).listen(options.port, options.host, resolve);
  });
  const { port } = http.address() as AddressInfo;

  return {
    url: `http://${bracketed(options.host)}:${port}${path}`,
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      await Promise.all([sessions.close(), handler.close()]);
      http.closeAllConnections();
      await closed;
    },
  };
}

/** As in a URL and in the `Host` header. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
