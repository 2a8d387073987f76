import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/server';
import type { Clock } from '../platform/clock.ts';
import type { Caller } from './caller.ts';
import { refusal } from './http-answers.ts';

const sessionsMax = 1000;
const sessionsPerKeyMax = 50;
const idleMsMax = 60 * 60 * 1000;

interface Session {
  callerId: string;
  server: McpServer;
  transport: Transport;
  usedAt: number;
}

export interface Sessions {
  handle(request: Request, caller: Caller): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Sessions of clients that speak a protocol before 2026-07-28. Without a session the server could not ask such a client for a
 * confirmation. A session belongs to the key that opened it.
 */
export function createSessions(clock: Clock, createServer: (caller: Caller) => McpServer): Sessions {
  const sessions = new Map<string, Session>();
  const now = () => clock.now().getTime();

  async function handle(request: Request, caller: Caller): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return request.method === 'POST' ? open(request, caller) : refusal(400, 'A session is needed.');
    const session = sessions.get(id);
    if (session === undefined || session.callerId !== caller.id) return refusal(404, 'Session not found.');
    use(id, session);
    return session.transport.handleRequest(request);
  }

  /** The transport refuses whatever does not open a session. */
  async function open(request: Request, caller: Caller): Promise<Response> {
    closeIdle();
    makeRoom(caller.id);
    const server = createServer(caller);
    const transport: Transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => use(id, { callerId: caller.id, server, transport, usedAt: now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** Keeps the map in the order of use. */
  function use(id: string, session: Session): void {
    sessions.delete(id);
    sessions.set(id, { ...session, usedAt: now() });
  }

  /** Closes the session that was not used for the longest time: of the key, if it has many, else of all. */
  function makeRoom(callerId: string): void {
    const own = [...sessions].filter(([, session]) => session.callerId === callerId);
    const oldest =
      own.length >= sessionsPerKeyMax ? own[0] : sessions.size >= sessionsMax ? [...sessions][0] : undefined;
    if (oldest !== undefined) void end(...oldest);
  }

  function closeIdle(): void {
    for (const [id, session] of sessions) if (now() - session.usedAt > idleMsMax) void end(id, session);
  }

  function end(id: string, { server }: Session): Promise<void> {
    sessions.delete(id);
    return server.close();
  }

  async function close(): Promise<void> {
    await Promise.all([...sessions].map(([id, session]) => end(id, session)));
  }

  return { handle, close };
}
