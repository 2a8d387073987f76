import type { FastifyInstance } from 'fastify';
import type { CustomHosts } from './custom-host.ts';
import { isLocalClient } from './local-client.ts';

/**
 * Returns 200 for a host that the proxy may get a certificate for: one that a company has proven. Else 404. A broken host keeps its
 * certificate, so that links that were sent with it can lead on.
 */
export async function tlsAskStatus(hosts: CustomHosts, domain: string | null): Promise<200 | 404> {
  return domain !== null && (await hosts.isProven(domain.toLowerCase())) ? 200 : 404;
}

/**
 * Answers a proxy on this machine that asks before it gets a certificate (Caddy's on-demand TLS). Everyone else gets 404. With
 * METRICS_PORT, the operator's server answers instead.
 */
export async function tlsAskRoute(app: FastifyInstance, { hosts }: { hosts: CustomHosts }): Promise<void> {
  app.get<{ Querystring: { domain?: unknown } }>('/tls/ask', { config: { isHidden: true } }, async (request, reply) => {
    if (!isLocalClient(request.raw)) return reply.callNotFound();
    const { domain } = request.query;
    const status = await tlsAskStatus(hosts, typeof domain === 'string' ? domain : null);
    return reply.code(status).send({ allowed: status === 200 });
  });
}
