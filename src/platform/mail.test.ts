import { randomBytes, X509Certificate } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { createSelfSigned } from '../pdf/signatures/self-signed.ts';
import { createSmtpMail, type MailMessage, type MailSender } from './mail.ts';
import { isAboutSender } from './mail-failure.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const id = '019a9f00-0000-7000-8000-000000000001';
const message: MailMessage = {
  id,
  to: { name: 'Ada Lovelace', address: 'ada@example.org' },
  subject: 'Please sign',
  text: 'Hello Ada\nhttps://sign.example.com/sign/abc\n',
  html: '<!doctype html><p>Hello Ada</p>',
};

interface Received {
  raw: string;
  email: Email;
  recipients: string[];
  secure: boolean;
  user: string | undefined;
}

/** A real SMTP server; `options` make it refuse things. */
async function smtpServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.disabledCommands ?? ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        received.push({
          raw: raw.toString('latin1'),
          email: await PostalMime.parse(raw),
          recipients: session.envelope.rcptTo.map((recipient) => recipient.address),
          secure: session.secure,
          user: session.user,
        });
        done(null, 'Ok: queued as 4B2D19A7');
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client that hangs up
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { received, port: (server.server.address() as AddressInfo).port };
}

/** Sends the given lines one by one, for what no real server does on purpose. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function mailTo(port: number, { query = '', user = '', scheme = 'smtp', timeoutMs = 60_000 } = {}): MailSender {
  const url = `${scheme}://${user}127.0.0.1:${port}${query}`;
  const mail = createSmtpMail({ url, from: 'Countersign <no-reply@sign.example.com>', timeoutMs });
  cleanUps.push(() => mail.close());
  return mail;
}

/** A self-signed certificate, as on many internal mail servers. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const { key, certificate } = await createSelfSigned({
    commonName: 'mail.example.com',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2049-01-01'),
    serial: randomBytes(16),
  });
  return {
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: new X509Certificate(certificate).toString(),
  };
}

const refusing = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

describe('accepted', () => {
  test('arrives whole, under the Message-ID of its delivery', async () => {
    const { received, port } = await smtpServer();
    const outcome = await mailTo(port).send({ ...message, replyTo: 'office@example.com' });
    expect(outcome).toEqual({ kind: 'accepted', providerId: '4B2D19A7' });
    const [{ email, recipients }] = received as [Received];
    expect(recipients).toEqual(['ada@example.org']);
    expect(email.from).toMatchObject({ name: 'Countersign', address: 'no-reply@sign.example.com' });
    expect(email.to).toMatchObject([{ name: 'Ada Lovelace', address: 'ada@example.org' }]);
    expect(email.replyTo).toMatchObject([{ address: 'office@example.com' }]);
    expect(email.subject).toBe('Please sign');
    expect(email.messageId).toBe(`<${id}@sign.example.com>`);
    expect(email.text?.trim()).toBe(message.text.trim());
    expect(email.html?.trim()).toBe(message.html);
    expect(email.headers.find((header) => header.key === 'auto-submitted')?.value).toBe('auto-generated');
  });

  test.each([
    ['ada@ｅxample.org', 'ada@example.org'],
    ['Ada@\u212aelvin.example', 'Ada@kelvin.example'],
  ])('%s is sent to the domain that it is compared by', async (address, receiver) => {
    const { received, port } = await smtpServer();
    await mailTo(port).send({ ...message, to: { name: '', address } });
    expect(received.map(({ recipients, email }) => [recipients, email.to?.[0]?.address])).toEqual([
      [[receiver], receiver],
    ]);
  });

  test('connections are kept: thirty messages, at most five of them', async () => {
    let connections = 0;
    const { received, port } = await smtpServer({
      onConnect(_session, done) {
        connections += 1;
        done();
      },
    });
    const mail = mailTo(port);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => mail.send(message)));
    expect(outcomes.every((outcome) => outcome.kind === 'accepted')).toBe(true);
    expect(received.length).toBe(30);
    expect(connections).toBeLessThanOrEqual(5);
  });

  test('the number of connections can be set in the URL', async () => {
    let connections = 0;
    const { received, port } = await smtpServer({
      onConnect(_session, done) {
        connections += 1;
        done();
      },
    });
    const mail = mailTo(port, { query: '?maxConnections=2' });
    await Promise.all(Array.from({ length: 10 }, () => mail.send(message)));
    expect(received.length).toBe(10);
    expect(connections).toBe(2);
  });

  test('a message that waits for a connection loses none of its time: what the server took was accepted', async () => {
    const took: string[] = [];
    const { port } = await smtpServer({
      onData(stream, session, done) {
        stream.resume().on('end', () => {
          took.push(...session.envelope.rcptTo.map(({ address }) => address));
          setTimeout(() => done(null), 7000);
        });
      },
    });
    const mail = mailTo(port, { query: '?maxConnections=1', timeoutMs: 12_000 });
    const addresses = ['first@example.org', 'second@example.org', 'third@example.org'];
    const outcomes = await Promise.all(
      addresses.map((address) => mail.send({ ...message, to: { name: '', address } })),
    );
    // The second ends after 14 s, two more than one message may take. The third doesn't start: its turn would come then.
    expect(outcomes).toMatchObject([
      { kind: 'accepted' },
      { kind: 'accepted' },
      { kind: 'unavailable', reason: 'all connections to the mail server were in use' },
    ]);
    expect(took).toEqual(addresses.slice(0, 2));
  });

  test('a kept connection that the server has closed meanwhile costs nothing', async () => {
    const closed = Promise.withResolvers<void>();
    const { received, port } = await smtpServer({ socketTimeout: 200, onClose: () => closed.resolve() });
    const mail = mailTo(port);
    expect((await mail.send(message)).kind).toBe('accepted');
    await closed.promise;
    // The sender reads the end of the connection in the next turn of the event loop.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect((await mail.send(message)).kind).toBe('accepted');
    expect(received.length).toBe(2);
  });
});

describe('no header can be forged', () => {
  const hostile = 'Ada\r\nBcc: victim@example.org\r\n\r\nbody\u2028X-Evil: 1\u0000\u202Egnp.exe';

  test('through names, subjects and reply addresses', async () => {
    const { received, port } = await smtpServer();
    await mailTo(port).send({
      ...message,
      to: { name: hostile, address: 'ada@example.org' },
      subject: hostile,
      replyTo: 'office@example.com\r\nBcc: victim@example.org',
    });
    const [{ email, raw, recipients }] = received as [Received];
    expect(recipients).toEqual(['ada@example.org']);
    expect(email.bcc ?? []).toEqual([]);
    expect(email.headers.map((header) => header.key).filter((key) => /bcc|evil/.test(key))).toEqual([]);
    expect(raw.split('\r\n').filter((line) => /^(bcc|x-evil|body)/i.test(line))).toEqual([]);
    expect(email.to?.[0]?.name).toBe('Ada Bcc: victim@example.org body X-Evil: 1 gnp.exe');
    expect(email.html?.trim()).toBe(message.html);
  });

  test('a long subject with emoji and right-to-left words arrives as it was', async () => {
    const { received, port } = await smtpServer();
    const subject = `${'Tschüß 🖊️👩‍⚖️ שלום עולם '.repeat(8)}end`;
    await mailTo(port).send({ ...message, subject });
    expect(received[0]?.email.subject).toBe(subject);
    const headerLines = received[0]?.raw.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    expect(Math.max(...headerLines.map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  test.each([
    'ada@example.org, victim@example.org',
    'ada@example.org>\r\nRCPT TO:<victim@example.org',
    'ada@example.org\r\nDATA',
    '<victim@example.org>',
    '',
  ])('an address that is more than one, or none, reaches nobody: %j', async (address) => {
    const { received, port } = await smtpServer();
    const outcome = await mailTo(port).send({ ...message, to: { name: 'Ada', address } });
    expect(outcome.kind).toBe('refused');
    expect(received.flatMap(({ recipients }) => recipients)).toEqual([]);
  });
});

describe('refused for good', () => {
  test.each([
    [550, '5.1.1 <ada@example.org>: Recipient address rejected: see https://help.example.com/550'],
    [553, '5.1.3 ada@example.org is no address'],
    [552, '5.2.2 Mailbox full'],
    [550, '5.1.1 No such user at relay.example.org'],
    [550, '5.1.1 <ada@example.org>: Recipient address rejected: undeliverable: host mx said: Relay access denied'],
    [554, '5.7.1 Service unavailable; Recipient address [ada@example.org] blocked using rhsbl.example.net'],
  ])('the recipient is refused with %d', async (code, text) => {
    const { port } = await smtpServer({ onRcptTo: (_address, _session, done) => done(refusing(code, text)) });
    const outcome = await mailTo(port).send(message);
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining(`${code} `) });
    expect(JSON.stringify(outcome)).not.toMatch(/ada@|https:/);
  });

  test('the message is refused with 554', async () => {
    const { port } = await smtpServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(refusing(554, '5.7.1 Rejected as spam')));
      },
    });
    expect(await mailTo(port).send(message)).toEqual({ kind: 'refused', reason: '554 5.7.1 Rejected as spam' });
  });

  test('one refusal leaves the kept connection to the next message', async () => {
    const { received, port } = await smtpServer({
      onRcptTo: (address, _session, done) => done(address.address.startsWith('ada') ? refusing(550, 'unknown') : null),
    });
    const mail = mailTo(port);
    expect((await mail.send(message)).kind).toBe('refused');
    expect((await mail.send({ ...message, to: { name: 'Bo', address: 'bo@example.org' } })).kind).toBe('accepted');
    expect(received.length).toBe(1);
  });
});

describe('unavailable for now', () => {
  test.each([
    [
      'the recipient is deferred',
      { onRcptTo: (_a, _s, done) => done(refusing(451, '4.7.1 Greylisted')) },
      /^451 4\.7\.1 Greylisted$/,
    ],
    ['the sender is not accepted', { onMailFrom: (_a, _s, done) => done(refusing(550, '5.7.1 who are you')) }, /^550/],
    [
      'a sign-in is wanted',
      { onMailFrom: (_a, _s, done) => done(refusing(530, '5.7.0 Authentication required')) },
      /^530/,
    ],
    [
      "the sender's daily quota is used up",
      { onRcptTo: (_a, _s, done) => done(refusing(550, '5.4.5 Daily sending quota exceeded')) },
      /^550 5\.4\.5/,
    ],
    ['the server greets with 554', { onConnect: (_s, done) => done(refusing(554, 'no service')) }, /554/],
    ['the server closes with 421', { onMailFrom: (_a, _s, done) => done(refusing(421, 'shutting down')) }, /421/],
  ] satisfies [string, SMTPServerOptions, RegExp][])('%s', async (_name, options, reason) => {
    const { port } = await smtpServer(options);
    expect(await mailTo(port).send(message)).toEqual({ kind: 'unavailable', reason: expect.stringMatching(reason) });
  });

  test.each([
    [554, '5.7.1 <ada@example.org>: Relay access denied'],
    [550, '5.7.1 Relaying denied'],
    [550, 'relay not permitted'],
    [550, '5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
    [550, '5.7.60 SMTP; Client does not have permissions to send as this sender'],
    [550, '5.7.64 TenantAttribution; Relay Access Denied'],
    [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    [554, '5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied'],
    [554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    [504, '5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname'],
    [553, '5.7.1 <no-reply@sign.example.com>: Sender address rejected: not owned by user x'],
    [550, '5.1.8 <no-reply@sign.example.com>: Sender address rejected: Domain not found'],
    [553, '5.1.7 <no-reply>: bad address syntax'],
  ])('the server refuses us, not the recipient: %d %s', async (code, text) => {
    const { port } = await smtpServer({ onRcptTo: (_address, _session, done) => done(refusing(code, text)) });
    const outcome = await mailTo(port).send(message);
    expect(outcome).toEqual({ kind: 'unavailable', reason: expect.stringContaining(`${code} `) });
    expect('reason' in outcome && isAboutSender(outcome.reason)).toBe(true);
  });

  /** Between client and server, a line that can be cut. */
  async function cuttable(port: number) {
    const line = { port: 0, cut: () => {} };
    line.port = await rawServer((near) => {
      const far = connect(port, '127.0.0.1').on('error', () => {});
      near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      line.cut = () => near.destroy();
    });
    return line;
  }

  test.each([
    ['in the middle of the message', 'data'],
    ['after the message, before the answer', 'end'],
  ])('the connection drops %s', async (_name, moment) => {
    let cut = () => {};
    const { received, port } = await smtpServer({
      onData(stream) {
        stream.resume().once(moment, () => cut());
      },
    });
    const line = await cuttable(port);
    cut = () => line.cut();
    const outcome = await mailTo(line.port).send({ ...message, text: 'word '.repeat(100_000) });
    expect(outcome).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('no connection') });
    expect(received).toEqual([]);
  });

  test('nobody listens', async () => {
    const port = await rawServer(() => {});
    await cleanUps.pop()?.();
    expect(await mailTo(port).send(message)).toEqual({
      kind: 'unavailable',
      reason: 'no connection to the mail server (ECONNREFUSED)',
    });
  });

  test('the server never greets', async () => {
    const port = await rawServer(() => {});
    const started = Date.now();
    expect(await mailTo(port, { timeoutMs: 1200 }).send(message)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('in time'),
    });
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  test('the server falls silent half way', async () => {
    const port = await rawServer((socket) => {
      socket.write('220 ready\r\n');
      socket.once('data', () => socket.write('250 hello\r\n'));
    });
    const started = Date.now();
    expect((await mailTo(port, { timeoutMs: 1200 }).send(message)).kind).toBe('unavailable');
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  test('a server that trickles its answers is cut off at the total limit', async () => {
    const port = await rawServer((socket) => {
      socket.write('220 ready\r\n');
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('250-still here\r\n'), 100);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const started = Date.now();
    expect((await mailTo(port, { timeoutMs: 1200 }).send(message)).kind).toBe('unavailable');
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  test('after close', async () => {
    const { port } = await smtpServer();
    const mail = mailTo(port);
    await mail.close();
    expect((await mail.send(message)).kind).toBe('unavailable');
  });

  test('close aborts running deliveries, and those that wait for a connection', async () => {
    const port = await rawServer((socket) => socket.write('220 ready\r\n'));
    const mail = mailTo(port);
    const sending = Promise.all(Array.from({ length: 12 }, () => mail.send(message)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = Date.now();
    await mail.close();
    expect((await sending).map(({ kind }) => kind)).toEqual(Array(12).fill('unavailable'));
    expect(Date.now() - started).toBeLessThan(30_000);
  });
});

describe('sign-in and encryption', async () => {
  const certificate = await selfSigned();
  const password = 'p@ss:w/ö?rd';
  const user = `clerk%40example.com:${encodeURIComponent(password)}@`;
  const onAuth: SMTPServerOptions['onAuth'] = (auth, _session, done) => {
    const isRight = auth.username === 'clerk@example.com' && auth.password === password;
    if (isRight) done(null, { user: auth.username });
    else done(new Error('Invalid username or password'));
  };

  test('signs in with the user and password of the URL', async () => {
    const { received, port } = await smtpServer({ authOptional: false, allowInsecureAuth: true, onAuth });
    expect((await mailTo(port, { user }).send(message)).kind).toBe('accepted');
    expect(received[0]?.user).toBe('clerk@example.com');
  });

  test('a refused sign-in is worth another attempt, and tells no password', async () => {
    const { port } = await smtpServer({ authOptional: false, allowInsecureAuth: true, onAuth });
    const outcome = await mailTo(port, { user: 'clerk%40example.com:wrong-password@' }).send(message);
    expect(outcome).toMatchObject({ kind: 'unavailable', reason: expect.stringMatching(/^535/) });
    expect(JSON.stringify(outcome)).not.toMatch(/wrong-password|clerk/);
  });

  test.each([
    ['STARTTLS', 'smtp', {}],
    ['TLS from the start', 'smtps', { secure: true }],
  ])('%s, when the certificate is excused', async (_name, scheme, options) => {
    const { received, port } = await smtpServer({ disabledCommands: [], ...certificate, ...options });
    expect((await mailTo(port, { scheme, query: '?tls.rejectUnauthorized=false' }).send(message)).kind).toBe(
      'accepted',
    );
    expect(received[0]?.secure).toBe(true);
  });

  test.each([
    ['STARTTLS', 'smtp', {}],
    ['TLS from the start', 'smtps', { secure: true }],
  ])('%s: a certificate nobody vouches for is not trusted', async (_name, scheme, options) => {
    const { received, port } = await smtpServer({ disabledCommands: [], ...certificate, ...options });
    expect(await mailTo(port, { scheme }).send(message)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)'),
    });
    expect(received).toEqual([]);
  });

  test('encryption can be demanded', async () => {
    const { received, port } = await smtpServer();
    expect((await mailTo(port, { query: '?requireTLS=true' }).send(message)).kind).toBe('unavailable');
    expect(received).toEqual([]);
  });
});

test.each([
  [{ url: 'http://mail.example.com', from: 'a@b.example' }, /SMTP_URL/],
  [{ url: 'smtp://', from: 'nobody' }, /SMTP_URL|MAIL_FROM/],
  [{ url: 'smtp://mail.example.com?logger=true', from: 'a@b.example' }, /SMTP_URL/],
  [{ url: 'smtp://mail.example.com', from: 'Nobody' }, /MAIL_FROM/],
  [{ url: 'smtp://mail.example.com', from: 'a@b.example, c@d.example' }, /MAIL_FROM/],
])('%j is refused with the setting named', (options, reason) => {
  expect(() => createSmtpMail(options)).toThrow(reason);
});
