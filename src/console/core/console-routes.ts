import type { FastifyInstance } from 'fastify';
import { consoleApi } from './console-api.ts';
import type { ConsoleDeps } from './console-endpoint.ts';
import { type ConsolePagesOptions, consolePages } from './console-pages.ts';

export type ConsoleOptions = Omit<ConsolePagesOptions, 'deps'> & { deps: Omit<ConsoleDeps, 'afterwards'> };

/** Serves the console's pages and API. When the server closes, it waits for work that runs after an answer. */
export async function consoleRoutes(app: FastifyInstance, { deps, ...options }: ConsoleOptions): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const afterwards = (work: Promise<unknown>) => {
    const settled = work
      .catch((cause) => deps.world.log.error('work after an answer failed', { cause }))
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
  };
  app.addHook('onClose', () => Promise.all(underWay));
  const all = { deps: { ...deps, afterwards }, ...options };
  await app.register(consoleApi, { prefix: '/console/api', ...all });
  await app.register(consolePages, all);
}
