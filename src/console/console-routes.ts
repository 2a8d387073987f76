import type { FastifyInstance } from 'fastify';
import { consoleApi } from './console-api.ts';
import type { ConsoleMeans } from './console-endpoint.ts';
import { type ConsolePagesOptions, consolePages } from './console-pages.ts';

export type ConsoleOptions = Omit<ConsolePagesOptions, 'means'> & { means: Omit<ConsoleMeans, 'afterwards'> };

/** The console: its pages, and what they call. What it does after an answer is awaited when the server closes. */
export async function consoleRoutes(app: FastifyInstance, { means, ...options }: ConsoleOptions): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const afterwards = (work: Promise<unknown>) => {
    const settled = work
      .catch((cause) => means.world.log.error('what was to follow an answer failed', { cause }))
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
  };
  // Before the server waits for the requests under way, which these would be for ever.
  app.addHook('preClose', () => means.live.stop());
  app.addHook('onClose', () => Promise.all(underWay));
  const all = { means: { ...means, afterwards }, ...options };
  await app.register(consoleApi, { prefix: '/console/api', ...all });
  await app.register(consolePages, all);
}
