import type { Command } from 'commander';
import { type AcceptedDestination, checkDestination } from '../../audit-stream/check-destination.ts';
import {
  dropUnsent,
  findStream,
  pauseStream,
  removeStream,
  resumeStream,
  rollStreamSecret,
  type StreamChange,
  setStream,
} from '../../audit-stream/manage-stream.ts';
import { openStreams } from '../../audit-stream/open-streams.ts';
import { type AuditStream, replacedSecretHours } from '../../audit-stream/stream.ts';
import type { StreamDeps } from '../../audit-stream/stream-deps.ts';
import { streamJson } from '../../audit-stream/stream-json.ts';
import { testStream } from '../../audit-stream/test-stream.ts';
import { Refusal } from '../../errors.ts';
import type { Tx } from '../../postgres/database.ts';
import { createHostResolver } from '../../public-fetch/public-fetch.ts';
import { UsageError } from '../core/arguments.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { openSecretBox } from '../core/secret-box.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, oneLine, remark } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

interface SetOptions {
  webhook?: string;
  syslog?: string;
}

const examples = `
Examples:
  countersign account audit-stream set $ACCOUNT --webhook https://siem.example.com/audit
  countersign account audit-stream set $ACCOUNT --syslog logs.example.com:6514
  countersign account audit-stream test $ACCOUNT`;

const keepIt = 'Keep the secret now: it is not shown again.';

/** Everything that owners do with the stream in Settings › Audit log. */
export function defineAuditStream(account: Command): void {
  const stream = account
    .command('audit-stream')
    .description('send each entry of a company’s audit log to a webhook or a syslog server')
    .addHelpText('after', examples);

  stream
    .command('show <id>')
    .description('show the destination, the position, what waits and the last error')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => {
        await findCompany(session.db, id);
        return show(session, await existing(session, id));
      });
      answer(command, shown, card);
    });

  stream
    .command('set <id>')
    .description('set or change the destination; the signing secret of a new webhook is shown only once')
    .option('--webhook <url>', 'a public https address')
    .option('--syslog <host:port>', 'a syslog server with TLS; the usual port is 6514')
    .action(async (id: string, options: SetOptions, command: Command) => {
      const shown = await withDatabase((session) => set(session, id, options));
      answer(command, shown, (of) => `${card(of)}${of.secret === null ? '' : `\n${keepIt}\n`}`);
    });

  stream
    .command('roll <id>')
    .description(`replace the signing secret of a webhook; the old one stays valid for ${replacedSecretHours} hours`)
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => {
        const { config, world, db } = session;
        await findActiveCompany(db, id);
        const { secretBox, concern } = await openSecretBox({ config, world, db });
        if (concern !== null) remark(concern);
        const rolled = await db.transaction((tx) => rollStreamSecret(world, tx, secretBox, by(id)));
        if (rolled === null) throw new Refusal('the account does not stream its audit log to a webhook');
        const { secret, ...of } = rolled;
        return { ...(await show(session, of)), secret };
      });
      answer(command, shown, (of) => `${card(of)}\n${keepIt}\n`);
    });

  stream
    .command('pause <id>')
    .description('pause the stream; entries wait')
    .action(async (id: string, _options, command: Command) => {
      const shown = await changed(id, ({ world }, tx) => pauseStream(world, tx, by(id)));
      answer(command, shown, card);
    });

  stream
    .command('resume <id>')
    .description('resume the stream, or try a failing destination again at once')
    .action(async (id: string, _options, command: Command) => {
      const shown = await changed(id, ({ world }, tx) => resumeStream(world, tx, by(id)));
      answer(command, shown, card);
    });

  stream
    .command('remove <id>')
    .description('remove the stream; entries that wait are not sent, and stay in the audit log')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase(async ({ world, db }) => {
        await findCompany(db, id);
        const found = await db.transaction((tx) => removeStream(world, tx, by(id)));
        if (found === null) throw new Refusal(noStream);
        await dropUnsent(db, id);
        return { account_id: id, url: found.url };
      });
      answer(command, removed, ({ url }) => `removed: nothing more is sent to ${oneLine(url)}\n`);
    });

  stream
    .command('test <id>')
    .description('send a test to the destination, and say what is wrong')
    .action(async (id: string, _options, command: Command) => {
      const result = await withDatabase((session) =>
        withStreams(session, async (deps) => {
          await findCompany(session.db, id);
          return testStream(deps, id);
        }),
      );
      if (result === null) throw new Refusal(noStream);
      if (!result.works) throw new Refusal(result.reason);
      answer(command, result, () => 'the destination has accepted a test\n');
    });
}

const noStream = 'the account does not stream its audit log';
const by = (accountId: string): StreamChange => ({ accountId, personId: null });

async function existing({ db }: Session, id: string): Promise<AuditStream> {
  const found = await findStream(db, id);
  if (found === null) throw new Refusal(noStream);
  return found;
}

async function show({ db }: Pick<Session, 'db'>, stream: AuditStream) {
  return { account_id: stream.account_id, ...(await streamJson(db, stream)) };
}

function changed(id: string, change: (session: Session, tx: Tx) => Promise<AuditStream | null>) {
  return withDatabase(async (session) => {
    await findActiveCompany(session.db, id);
    const stream = await session.db.transaction((tx) => change(session, tx));
    if (stream === null) throw new Refusal(noStream);
    return show(session, stream);
  });
}

async function set(session: Session, id: string, options: SetOptions) {
  const { config, world, db } = session;
  await findActiveCompany(db, id);
  const accepted = await destinationOf(options, config.webhookAllowPrivate);
  const { secretBox, concern } = await openSecretBox({ config, world, db });
  await dropUnsent(db, id);
  const { secret, ...stream } = await db.transaction((tx) => setStream(world, tx, secretBox, by(id), accepted));
  for (const text of [accepted.concern?.text ?? null, concern]) if (text !== null) remark(text);
  return { ...(await show(session, stream)), secret };
}

function destinationOf({ webhook, syslog }: SetOptions, allowPrivate: boolean): Promise<AcceptedDestination> {
  const rules = { allowPrivate, resolver: createHostResolver({ timeoutMs: lookupMs }) };
  if (webhook !== undefined && syslog === undefined) return checkDestination('webhook', webhook, rules);
  if (syslog !== undefined && webhook === undefined) return checkDestination('syslog', syslog, rules);
  throw new UsageError('give --webhook or --syslog, and not both');
}

/** Time limit of the name lookup. */
const lookupMs = 3000;

/** Opens what a stream needs of the network for `work`. */
async function withStreams<Result>(session: Session, work: (deps: StreamDeps) => Promise<Result>): Promise<Result> {
  const { config, world, db } = session;
  const { secretBox } = await openSecretBox({ config, world, db });
  const origin = await pagesOrigin(config);
  const deps = openStreams(config, { world, db, secretBox, resolver: createHostResolver(), origin: () => origin });
  try {
    return await work(deps);
  } finally {
    deps.publicFetch.close();
  }
}
