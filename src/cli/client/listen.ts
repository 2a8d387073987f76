import { createSecretKey, hkdfSync } from 'node:crypto';
import type { Command } from 'commander';
import { systemClock } from '../../platform/clock.ts';
import { type EventType, eventTypes, isEventType } from '../../webhooks/event-types.ts';
import { deliveryHeaders } from '../../webhooks/signature.ts';
import { eventsOf, UsageError } from '../core/arguments.ts';
import { onSignal } from '../core/on-signal.ts';
import { oneLine, remark } from '../core/terminal.ts';
import { offerProfile, withApi } from './api-command.ts';
import { type ConnectionOptions, findConnection, refusalOf } from './connection.ts';
import { followStream, type StreamedEvent } from './events-api.ts';

interface Options extends ConnectionOptions {
  forwardTo?: string;
  events: readonly EventType[];
  printJson?: boolean;
}

const forwardMs = 10_000;

export function define(listen: Command): void {
  offerProfile(listen)
    .description('print the webhook events of a company as they happen, and forward them to a local receiver')
    .option('--forward-to <url>', 'the receiver, such as localhost:8080/webhooks', receiverAddress)
    .option('--events <list>', `all, or some of ${eventTypes.join(',')}`, eventsOf, eventTypes)
    .option('--print-json', 'print each event as one line of JSON')
    .action(follow);
}

/** Runs until Ctrl-C. An event that the receiver refuses is printed and not sent again. */
async function follow({ forwardTo, events, printJson = false, ...options }: Options): Promise<void> {
  const connection = await findConnection(options);
  const { display_name, mode } = await withApi(connection, (client) => client.account());
  const secret = listeningSecret(connection.api_key);
  remark(`listening to the events of ${display_name} (${mode} key) at ${connection.base_url}`);
  if (forwardTo !== undefined)
    remark(`forwarding to ${forwardTo}, signed with ${secret} (the same for this key every time)`);

  const stopping = new AbortController();
  const forget = onSignal(() => stopping.abort());
  let isInterrupted = false;
  try {
    await followStream(connection, {
      signal: stopping.signal,
      onOpen: () => {
        remark(isInterrupted ? 'connected again' : 'ready; stop with Ctrl-C');
        isInterrupted = false;
      },
      onInterruption: (reason, waitMs) => {
        isInterrupted = true;
        remark(`${reason}; trying again in ${Math.ceil(waitMs / 1000)} s`);
      },
      onEvent: async (event) => {
        if (!isEventType(event.type) || !events.includes(event.type)) return;
        const outcome = forwardTo === undefined ? null : await forward(forwardTo, secret, event, event.type);
        process.stdout.write(printJson ? `${event.body}\n` : eventLine(event, outcome));
        if (printJson && outcome !== null) remark(`${event.id} → ${outcome}`);
      },
    });
  } catch (error) {
    throw refusalOf(error, connection);
  } finally {
    forget();
  }
}

/** Completes `8080`, `8080/path` and `localhost:8080/path` to an address. */
function receiverAddress(value: string): string {
  const complete = /^\d+(?:[/?]|$)/.test(value)
    ? `http://127.0.0.1:${value}`
    : /^https?:\/\//.test(value)
      ? value
      : `http://${value}`;
  if (URL.canParse(complete)) return new URL(complete).href;
  throw new UsageError('--forward-to must be the address of a receiver, such as localhost:8080/webhooks');
}

/**
 * The signing secret of forwarded events. Derived from the key, so that a receiver can keep it in its settings. It doesn't reveal
 * the key.
 */
function listeningSecret(apiKey: string): string {
  return `whsec_${Buffer.from(hkdfSync('sha256', apiKey, '', 'countersign listen', 16)).toString('hex')}`;
}

/** Sends an event as the server would. Returns what the receiver answered. */
async function forward(url: string, secret: string, { body }: StreamedEvent, type: EventType): Promise<string> {
  const startedAt = performance.now();
  const headers = deliveryHeaders([createSecretKey(secret, 'utf8')], type, body, systemClock.now());
  try {
    const signal = AbortSignal.timeout(forwardMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return `${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError'
      ? `no answer within ${forwardMs / 1000} s`
      : `no connection (${cause?.code ?? name})`;
  }
}

/** `12:00:01  document.sent  019…  Lease  → 204 in 3 ms` */
function eventLine({ id, type, body }: StreamedEvent, outcome: string | null): string {
  const { created_at, data } = JSON.parse(body) as {
    created_at: string;
    data: { document: { id: string; title?: string } };
  };
  const { document } = data;
  const line = `${created_at.slice(11, 19)}  ${type.padEnd(18)}  ${id}  ${oneLine(document.title ?? document.id)}`;
  return `${line}${outcome === null ? '' : `  → ${outcome}`}\n`;
}
