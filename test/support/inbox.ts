import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually, type TestService } from './service.ts';

/** The id under which the server says that it has queued each message. */
export const queueId = '4B2D19A7C0';

/** A mail server that keeps what it accepts. It refuses addresses at `refused.example`, and for now those at `later.example`. */
export interface Inbox {
  url: string;
  /** In the order of arrival. `to` is the address of the envelope. */
  received: Array<{ to: string; email: Email }>;
  close(): Promise<void>;
}

const answers = [
  { domain: '@refused.example', code: 550, text: 'no such mailbox' },
  { domain: '@later.example', code: 451, text: '4.7.1 Greylisted, see https://lists.example/later' },
];

export async function startInbox(): Promise<Inbox> {
  const received: Inbox['received'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100, // idle connections are closed
    onRcptTo({ address }, _session, done) {
      const answer = answers.find(({ domain }) => address.endsWith(domain));
      done(answer === undefined ? null : Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('error', done);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', async () => {
        const email = await PostalMime.parse(Buffer.concat(chunks));
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, email });
        done(null, `Ok: queued as ${queueId}`);
      });
    },
  });
  server.on('error', () => {}); // a client that hangs up
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Empties the inbox, once the service has sent what it still had to send. */
export async function emptyInbox({ db }: Pick<TestService, 'db'>, inbox: Inbox): Promise<void> {
  await eventually(
    () =>
      db.query({
        name: '',
        text: `select 1 from jobs.job where state in ('created', 'active') and start_after <= now()
                 and (name like 'deliver-%' or name like 'tell-%' or name like 'notify-%')`,
        values: [],
      }),
    (waiting) => waiting.length === 0,
  );
  inbox.received.length = 0;
}
