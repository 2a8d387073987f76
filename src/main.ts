import { readPlanTable } from './accounts/plans.ts';
import { processEnvironment, readConfig } from './config.ts';
import { OperatorError } from './errors.ts';
import { checkSenders } from './platform/senders.ts';
import type { Service } from './service.ts';

/** One process: `npm start` and `countersign serve`. Prints `ready <base_url>`, or one line of why it cannot serve. */
const stopMsMax = 9500;

/** Null while the settings are checked and the code is loaded. */
let starting: Promise<Service> | null = null;
const interruption = new AbortController();
const isStopping = stopOn(['SIGTERM', 'SIGINT']);
/** About lines of the `.env` file, until they are logged. They may be why a setting is bad. */
const concerns: string[] = [];

try {
  const config = readConfig(processEnvironment((concern) => concerns.push(concern)));
  // Both throw for a bad setting.
  readPlanTable(config.plansFile);
  checkSenders(config);
  // Loaded after the settings are checked: most of a start is loading, and a bad setting needs none of it.
  const { createLog } = await import('./platform/log.ts');
  const log = createLog(config.logLevel);
  for (const concern of concerns.splice(0))
    log.warn('a line of the .env file is probably not read as it was meant', { concern });
  const { startService } = await import('./service.ts');
  const { isForThisMachine } = await import('./web-role.ts');
  const { welcome } = await import('./demo.ts');
  starting = startService(config, {
    signal: interruption.signal,
    welcome: (keys, origin) => {
      // With another HOST, this machine may be a container, whose page no browser reaches.
      const page = isForThisMachine(config) ? `${origin}/mailbox` : 'bin/countersign mailbox list';
      process.stdout.write(welcome(keys, origin, config.smtpUrl === null ? page : null));
    },
  });
  const { origin } = await starting;
  // Loading leaves 20 MB of garbage, which V8 would keep for as long as little happens.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  if (!isStopping()) process.stdout.write(`ready ${origin}/api/v1\n`);
} catch (error) {
  // A start that was interrupted may fail, because Ctrl-C reaches a process that it has just forked.
  if (!isStopping()) {
    process.stderr.write(`countersign: ${[explain(error), ...concerns].join('; ')}\n`);
    process.exitCode = 1;
    // Whatever is still open must not keep a process alive that does not serve.
    setTimeout(() => process.exit(1), 2000).unref();
  }
}

/** A service that is still starting ends its start, and stops what it has started: its database would outlive it. */
function stopOn(signals: NodeJS.Signals[]): () => boolean {
  let stopping = false;
  for (const signal of signals) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      if (starting === null) process.exit(0);
      setTimeout(() => process.exit(1), stopMsMax).unref();
      interruption.abort();
      const service = await starting.catch(() => null);
      await service?.stop();
      process.exit(0);
    });
  }
  return () => stopping;
}

/** What the operator can mend is one line; a fault of ours comes with where it happened. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // A failed statement has the driver's error as its cause.
  const { code, syscall, message } = (error.name === 'DatabaseFailure' ? error.cause : error) as NodeJS.ErrnoException;
  const isConnection =
    /ECONNREFUSED|ENOTFOUND|ECONNRESET|ETIMEDOUT/.test(`${code}`) || (code === 'ENOENT' && syscall === 'connect');
  if (isConnection) return `the database cannot be reached: ${message}`;
  return error.stack ?? error.message;
}
