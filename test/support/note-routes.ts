import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

export interface Route {
  method: string;
  url: string;
}

/** Returns all routes that the services started by `start` register. */
export async function noteRoutes<Result>(start: () => Promise<Result>): Promise<{ started: Result; routes: Route[] }> {
  const routes: Route[] = [];
  const note = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  };
  subscribe('fastify.initialization', note);
  try {
    return { started: await start(), routes };
  } finally {
    unsubscribe('fastify.initialization', note);
  }
}
