import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode, type Packet } from 'dns-packet';

/** A DNS server over UDP. */
export interface DnsServer {
  /** `127.0.0.1:PORT` */
  address: string;
  /** All questions received, in order: `A hooks.example.com`. */
  questions: string[];
  close(): Promise<void>;
}

/** Addresses with their TTL, a chain of names, an error, or no answer. */
export type DnsReply =
  | { addresses: string[]; ttl?: number; cname?: string }
  | { texts: string[] }
  | keyof typeof errorCodes
  | 'silence';

const errorCodes = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

/** `reply` is called for each question. The question for the root's name servers is `NS .`. */
export async function startDnsServer(
  reply: (type: string, name: string) => DnsReply | Promise<DnsReply>,
  port = 0,
): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', async (message, from) => {
    const query = decode(message);
    const { type = 'A', name = '' } = query.questions?.[0] ?? {};
    questions.push(`${type} ${name}`);
    const answer = await reply(type, name);
    if (answer === 'silence') return;
    socket.send(encode(response(query, type, name, answer)), from.port, from.address);
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function response(query: Packet, type: string, name: string, reply: Exclude<DnsReply, 'silence'>): Packet {
  const head = { type: 'response', id: query.id, questions: query.questions } as const;
  if (typeof reply === 'string') return { ...head, flags: errorCodes[reply] };
  if ('texts' in reply) {
    const answers = type === 'TXT' ? reply.texts.map((data): Answer => ({ type: 'TXT', name, ttl: 60, data })) : [];
    return { ...head, answers };
  }
  const { addresses, ttl = 60, cname } = reply;
  const owner = cname ?? name;
  const isSix = type === 'AAAA';
  const records = addresses.filter((address) => address.includes(':') === isSix);
  const chain: Answer[] = cname === undefined ? [] : [{ type: 'CNAME', name, ttl, data: cname }];
  if (type === 'CNAME') return { ...head, answers: chain };
  if (type !== 'A' && type !== 'AAAA') return { ...head, answers: [] };
  return { ...head, answers: [...chain, ...records.map((data) => ({ type, name: owner, ttl, data }) as Answer)] };
}
