import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of Twilio's Messages API that the service uses. */
export interface SmsProvider {
  /** The value of SMS_URL. */
  url: string;
  /** The answer to the next messages. */
  answer: { status: number; code?: number } | 'hang up';
  /** Answers wait until this resolves. */
  hold: Promise<void> | null;
  /** All messages received, newest last, whatever the answer was. */
  texts: string[];
  close(): Promise<void>;
}

export async function startSmsProvider(): Promise<SmsProvider> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    provider.texts.push(new URLSearchParams(Buffer.concat(chunks).toString()).get('Body') ?? '');
    await provider.hold;
    if (provider.answer === 'hang up') return void response.destroy();
    const { status, code } = provider.answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status < 300 ? { sid: 'SM1' } : { code }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider: SmsProvider = {
    url: `twilio://AC1:token@+15550100?api=http://127.0.0.1:${port}`,
    answer: { status: 201 },
    hold: null,
    texts: [],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return provider;
}

export function codeIn(text: string | undefined): string {
  return /#(\d{6})$/.exec(text ?? '')?.[1] ?? '';
}
