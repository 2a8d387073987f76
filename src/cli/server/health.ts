import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { localOrigin } from '../../http/local-origin.ts';
import { readSettings } from '../core/session.ts';
import { answer } from '../core/terminal.ts';

const answerWithinMs = 3000;

export function define(health: Command): void {
  health
    .description('ask the service that runs here with these settings whether it is ready; exit 1 if it is not')
    .action(async (_options, command: Command) => {
      const { status, reason } = await askService(readSettings());
      if (status !== 'ready') throw new Refusal(`the service is not ready: ${reason ?? status}`);
      answer(command, { status }, () => 'ready\n');
    });
}

/** A worker answers on METRICS_PORT only. The service's own port redirects requests for other names than PUBLIC_URL's. */
async function askService({ metrics, host, port, role, publicUrl }: Config): Promise<Answer> {
  if (metrics !== null) return ask(localOrigin(metrics.host, metrics.port), {});
  if (role === 'worker') throw new Refusal('a worker answers on METRICS_PORT only: set it');
  return ask(localOrigin(host, port), publicUrl === null ? {} : { host: new URL(publicUrl).host });
}

interface Answer {
  status: string;
  reason?: string;
}

async function ask(origin: string, headers: Record<string, string>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request(`${origin}/health/ready`, { headers, signal: AbortSignal.timeout(answerWithinMs) }, (response) => {
    text(response).then(resolve, reject);
  })
    .on('error', reject)
    .end();
  try {
    return JSON.parse(await promise);
  } catch (error) {
    throw new Refusal(`the service does not answer at ${origin}: ${(error as Error).message}`);
  }
}
