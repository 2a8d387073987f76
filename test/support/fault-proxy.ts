import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { messageSplitter, statementReader, type WireMessage } from './wire-messages.ts';

/**
 * A proxy in front of a real PostgreSQL that causes real faults: at a given statement, or of the whole server. Statements
 * are named as in src (`name: 'create_document'`). `begin`, `commit` and `rollback` are named by their text.
 */
export interface FaultProxy {
  /** The address of the database through the proxy. */
  through(databaseUrl: string): string;

  /** The next time the statement is sent, its connection is lost before the server gets it. */
  cutBefore(statement: string): void;
  /** The next time, the server executes it and the connection is lost before the answer arrives. */
  cutAfter(statement: string): void;
  /** The next time, the statement waits until it is released. */
  hold(statement: string): Held;
  /** The next time, the server goes away in this way before it gets the statement. Returns whether it has. */
  awayAt(statement: string, manner: Away): () => boolean;

  /** The server goes away until `restore`. */
  away(manner: Away): void;
  /**
   * Ends every fault. Frozen connections continue, unless they are `left` frozen as after a failover, when only new
   * connections work. Fails if a fault never occurred, because the test would not have tested it.
   */
  restore(frozen?: 'thawed' | 'left'): Promise<void>;
  close(): Promise<void>;
}

/** Nobody listens, or connections are accepted but never answered, or open connections break while new ones work. */
export type Away = 'refused' | 'frozen' | 'cut';

export interface Held {
  /** Settles once the statement waits. */
  reached: Promise<void>;
  release(): void;
  /** The server executes it, and the connection is lost before the answer arrives. */
  releaseAndCut(): void;
}

interface Fault {
  statement: string;
  act(link: Link): Promise<void>;
}

export async function startFaultProxy(serverUrl: string): Promise<FaultProxy> {
  const upstream = addressOf(serverUrl);
  const links = new Set<Link>();
  let faults: Fault[] = [];
  let thaw: PromiseWithResolvers<void> | null = null;

  const server = createServer((client) => {
    const link = openLink(client, connect(upstream), meetFault);
    links.add(link);
    link.closed.then(() => links.delete(link));
    if (thaw !== null) link.pause();
  });
  const port = await listenBelowEphemeral(server);

  async function meetFault(statement: string, link: Link): Promise<void> {
    const met = faults.find((fault) => fault.statement === statement);
    if (met === undefined) return;
    faults = faults.filter((fault) => fault !== met);
    await met.act(link);
  }

  function away(manner: Away): void {
    if (manner === 'frozen') {
      thaw ??= Promise.withResolvers();
      for (const link of links) link.pause();
      return;
    }
    if (manner === 'refused') server.close();
    for (const link of links) link.cut();
  }

  return {
    through(databaseUrl) {
      const { user, password, database } = new pg.Client({ connectionString: databaseUrl });
      const login = [user ?? 'postgres', password ?? []].flat().map(encodeURIComponent).join(':');
      return `postgresql://${login}@127.0.0.1:${port}/${database}?sslmode=disable`;
    },

    cutBefore(statement) {
      faults.push({ statement, act: async (link) => link.cut() });
    },
    cutAfter(statement) {
      faults.push({ statement, act: async (link) => link.cutWithAnswer() });
    },
    hold(statement) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<'whole' | 'cut'>();
      const act = async (link: Link) => {
        reached.resolve();
        if ((await released.promise) === 'cut') link.cutWithAnswer();
      };
      faults.push({ statement, act });
      return {
        reached: reached.promise,
        release: () => released.resolve('whole'),
        releaseAndCut: () => released.resolve('cut'),
      };
    },
    awayAt(statement, manner) {
      const fault: Fault = {
        statement,
        async act() {
          away(manner);
          await thaw?.promise;
        },
      };
      faults.push(fault);
      return () => !faults.includes(fault);
    },

    away,
    async restore(frozen = 'thawed') {
      if (frozen === 'thawed') {
        for (const link of links) link.resume();
        thaw?.resolve();
      }
      thaw = null;
      if (!server.listening) await listen(server, port);
      const unmet = faults.splice(0).map((fault) => fault.statement);
      if (unmet.length > 0) throw new Error(`statements that were to meet a fault did not come: ${unmet.join(', ')}`);
    },
    async close() {
      thaw?.resolve();
      server.close();
      for (const link of links) link.cut();
      await Promise.all([...links].map((link) => link.closed));
    },
  };
}

/** A client's connection, and the server connection made for it. */
interface Link {
  pause(): void;
  resume(): void;
  cut(): void;
  /** Passes on everything in progress until the answer to the current statement, which is lost. */
  cutWithAnswer(): void;
  closed: Promise<unknown>;
}

function openLink(client: Socket, server: Socket, meet: (statement: string, link: Link) => Promise<void>): Link {
  // The server reports that it is ready after the start-up, and after every Sync.
  let readyAsked = 1;
  let readySaid = 0;
  let answerToLose: number | null = null;
  const closed = Promise.all([client, server].map((socket) => new Promise((resolve) => socket.once('close', resolve))));

  const link: Link = {
    pause() {
      client.pause();
      server.pause();
    },
    resume() {
      client.resume();
      server.resume();
    },
    cut() {
      client.destroy();
      server.destroy();
    },
    cutWithAnswer() {
      answerToLose = readyAsked + 1;
    },
    closed,
  };

  const statementOf = statementReader();
  const forwardToServer = async (messages: WireMessage[]) => {
    for (const message of messages) {
      const statement = statementOf(message);
      if (statement !== null) await meet(statement, link);
      if (server.destroyed) return;
      if (message.type === 'S' || message.type === 'Q') readyAsked += 1;
      server.write(message.bytes);
    }
  };
  const forwardToClient = (message: WireMessage) => {
    const isLost = readySaid + 1 === answerToLose;
    if (message.type === 'Z') readySaid += 1;
    if (!isLost) client.write(message.bytes);
    else if (message.type === 'Z') link.cut();
  };

  const splitClient = messageSplitter('with start-up');
  let forwarding = Promise.resolve();
  client.on('data', (chunk) => {
    const messages = splitClient(chunk);
    forwarding = forwarding.then(() => forwardToServer(messages));
  });
  const splitServer = messageSplitter('typed');
  server.on('data', (chunk) => splitServer(chunk).forEach(forwardToClient));

  for (const [socket, peer] of [
    [client, server],
    [server, client],
  ] as const) {
    socket.setNoDelay(true);
    socket.on('error', () => {}); // `close` follows
    socket.once('close', () => peer.destroySoon());
  }
  return link;
}

function addressOf(url: string): { path: string } | { host: string; port: number } {
  const { host, port } = new pg.Client({ connectionString: url });
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** Not an ephemeral port: it must still be free when the proxy listens again. */
async function listenBelowEphemeral(server: Server): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    try {
      await listen(server, port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
