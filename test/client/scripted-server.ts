import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When it arrived, in milliseconds, to compare with other requests. */
  at: number;
}

export type Answer = (response: ServerResponse) => void;

export interface ScriptedServer {
  baseUrl: string;
  asked: Asked[];
  stop(): Promise<void>;
}

/** A server that answers the first request with the first answer and so on. The last answer repeats. */
export async function scriptedServer(...answers: Answer[]): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const number = asked.push({ method, url, headers, body, at: performance.now() });
    answers[Math.min(number, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Returns an error answer like the API's. */
export function refuses(status: number, type: string, code: string, headers: Record<string, string> = {}): Answer {
  const error = { type, code, message: 'No.', doc_url: 'https://docs.example/#x', request_id: 'req_1' };
  return answers(status, { error }, headers);
}

export const staysSilent: Answer = () => {};

export const breaksOff: Answer = (response) => void response.socket?.destroy();

/** Announces more bytes than it sends. */
export const cutsOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"object":', () => response.socket?.destroy());
};
