import { expect } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { endServers, type Ground, type ServerProcess, type Settings, startServer } from '../../support/process.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { createCompany } from '../../support/service.ts';
import { startMailServer } from '../../support/smtp.ts';
import { createEndpoint } from '../../support/webhooks.ts';
import { expectNothingLost, loadSettings, signWhile } from '../signing-load.ts';

/** The service and everything it depends on, while clients create, send and sign documents. */
export interface Scene {
  ground: Ground;
  /** Between the service and its database. */
  proxy: FaultProxy;
  receiver: Receiver;
  web: ServerProcess;
  /** Two processes, so that one can take over from the other. */
  workers: ServerProcess[];
  mailOut(): Promise<void>;
  mailBack(): Promise<void>;
}

export interface Prepared {
  settings: Settings;
  /** A command that starts the service (`launchServer`). */
  start?: readonly string[];
  /** What the receiver of webhooks is called. */
  receiverHost?: string;
  end(): Promise<void>;
}

/** Causes a fault that lasts for `ms`, and ends it. */
export interface BadDay {
  name: string;
  /** What this machine has to have, or to allow. */
  needs?: string;
  /** Prepares what the service needs to meet the fault. Returns its additional settings, or null where `needs` is not met. */
  prepare?(ground: Ground): Promise<Prepared | null>;
  happen(scene: Scene, ms: number): Promise<void>;
}

const clients = 2;
/** Failed jobs wait up to twice as long as the fault lasted, and the lease of a stalled worker has to end. */
const drainMs = (ms: number) => 2 * ms + 120_000;

/**
 * Lets clients work while faults happen one after the other, each for `ms`. They repeat each request until it is answered with
 * a 2xx. Afterwards every document is completed and sealed once, with its events delivered and its mails accepted. Faults that
 * this machine does not allow are left out. Returns the number of documents, or null when none of the faults can be caused.
 */
export async function survive(ground: Ground, days: readonly BadDay[], ms: number): Promise<number | null> {
  const prepared = await prepareAll(ground, days);
  if (prepared.days.length === 0) return null;
  const proxy = await startFaultProxy(ground.databaseUrl);
  const receiver = await startReceiver();
  let mail = await startMailServer(() => 0);
  const accepted = [mail.accepted];
  const port = Number(new URL(mail.url).port);
  try {
    const settings = {
      ...ground.settings,
      DATABASE_URL: proxy.through(ground.databaseUrl),
      ...loadSettings(ground, mail.url),
      ...prepared.settings,
    };
    const web = await startServer({ ...settings, ROLE: 'web' }, prepared.start);
    const workers = await Promise.all([1, 2].map(() => startServer({ ...settings, ROLE: 'worker' }, prepared.start)));
    const company = await createCompany(ground);
    await createEndpoint(ground, company.id, `http://${prepared.receiverHost}:${receiver.port}/hook`);
    const scene: Scene = {
      ...{ ground, proxy, receiver, web, workers },
      mailOut: () => mail.close(),
      async mailBack() {
        mail = await startMailServer(() => 0, port);
        accepted.push(mail.accepted);
      },
    };

    let goesOn = true;
    const working = Promise.all(
      Array.from({ length: clients }, (_, client) =>
        signWhile({ goesOn: () => goesOn, ground, baseUrl: web.baseUrl, company, client }),
      ),
    );
    working.catch(() => {}); // awaited below
    for (const day of prepared.days) await day.happen(scene, ms);
    goesOn = false;
    const told = (await working).flat();

    await expectNothingLost(ground, receiver, company.id, told, drainMs(ms));
    expect(new Set(accepted.flat().map(({ to }) => to))).toEqual(new Set(told.map(({ address }) => address)));
    return told.length;
  } finally {
    await endServers();
    await Promise.all([proxy.close(), receiver.stop(), mail.close()]);
    await prepared.end();
  }
}

async function prepareAll(ground: Ground, days: readonly BadDay[]) {
  const ready: { day: BadDay; prepared: Prepared }[] = [];
  for (const day of days) {
    const prepared = day.prepare === undefined ? { settings: {}, end: async () => {} } : await day.prepare(ground);
    if (prepared === null) console.log(`SKIPPED: ${day.name}: it needs ${day.needs}`);
    else ready.push({ day, prepared });
  }
  const all = ready.map(({ prepared }) => prepared);
  return {
    days: ready.map(({ day }) => day),
    settings: Object.assign({}, ...all.map(({ settings }) => settings)) as Settings,
    start: all.flatMap(({ start }) => start ?? []),
    receiverHost: all.find(({ receiverHost }) => receiverHost !== undefined)?.receiverHost ?? '127.0.0.1',
    async end() {
      for (const { end } of all) await end();
    },
  };
}
