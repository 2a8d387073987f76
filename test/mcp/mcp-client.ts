import { tmpdir } from 'node:os';
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bin } from '../cli/countersign.ts';

export type Answer = (request: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

export interface ConnectOptions {
  key: string;
  /** Shown to the user and answered. Without it, the client says that it cannot ask. */
  onQuestion?: Answer;
  /** The revision of 2026. Otherwise the client opens with `initialize`, as most do. */
  isModern?: boolean;
}

export interface Connected {
  client: Client;
  /** Calls a tool and parses its text. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be
  call(name: string, input?: object): Promise<{ isError: boolean; value: any; text: string }>;
  tools(): Promise<string[]>;
}

export interface Spawned extends Connected {
  pid: number;
  stderr(): string;
  /** Resolves when the connection has ended. */
  closed: Promise<void>;
}

/** Starts `bin/countersign mcp` and connects to its stdin and stdout. */
export async function connectStdio(baseUrl: string, options: ConnectOptions): Promise<Spawned> {
  const transport = new StdioClientTransport({
    command: bin,
    args: ['mcp'],
    env: { PATH: process.env.PATH ?? '', COUNTERSIGN_API_KEY: options.key, COUNTERSIGN_BASE_URL: baseUrl },
    cwd: tmpdir(),
    stderr: 'pipe',
  });
  const chunks: Buffer[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const client = newClient(options);
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport);
  return {
    ...connected(client),
    pid: transport.pid as number,
    stderr: () => Buffer.concat(chunks).toString(),
    closed,
  };
}

export async function connectHttp(url: string, options: ConnectOptions): Promise<Connected> {
  const requestInit = { headers: { authorization: `Bearer ${options.key}` } };
  const client = newClient(options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return connected(client);
}

function newClient({ onQuestion, isModern = false }: ConnectOptions): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: onQuestion === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: isModern ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (onQuestion !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => onQuestion(params));
  return client;
}

function connected(client: Client): Connected {
  return {
    client,
    async call(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
      const [first] = content;
      if (content.length !== 1 || first?.type !== 'text') throw new Error('not one text');
      return { isError, value: parsed(first.text), text: first.text };
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
