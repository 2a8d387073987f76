import { processEnvironment, readConfig } from './config.ts';
import { welcome } from './demo.ts';
import { OperatorError } from './errors.ts';
import { type Service, startService } from './service.ts';

/** One process: `npm start` and `countersign serve`. Prints `ready <base_url>`, or one line of why it cannot serve. */
const stopMsMax = 9500;

try {
  const config = readConfig(processEnvironment());
  const service = await startService(config);
  if (service.demo !== null) process.stdout.write(welcome(service.demo, service.origin, config.smtpUrl === null));
  process.stdout.write(`ready ${service.origin}/api/v1\n`);
  stopOn(['SIGTERM', 'SIGINT'], service);
} catch (error) {
  process.stderr.write(`countersign: ${explain(error)}\n`);
  process.exitCode = 1;
  // Whatever is still open must not keep a process alive that does not serve.
  setTimeout(() => process.exit(1), 2000).unref();
}

function stopOn(signals: NodeJS.Signals[], service: Service): void {
  let stopping = false;
  for (const signal of signals) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), stopMsMax).unref();
      await service.stop();
      process.exit(0);
    });
  }
}

/** What the operator can mend is one line; a fault of ours comes with where it happened. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const isConnection = /ECONNREFUSED|ENOTFOUND|ECONNRESET|ETIMEDOUT|ENOENT/.test(
    `${(error as { code?: string }).code}`,
  );
  if (isConnection) return `the database cannot be reached: ${error.message}`;
  return error.stack ?? error.message;
}
