import type { FastifyInstance } from 'fastify';

/**
 * On the host of a company, lets forms lead to `publicUrl`: a public link leads there if its visitors have to sign in, and so does
 * every form once the host is no longer the company's. Browsers apply `form-action` to redirects too.
 */
export function letFormsLeadOn(app: FastifyInstance, publicUrl: string | null): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.customHost === undefined) return payload;
    const policy = String(reply.getHeader('content-security-policy'));
    reply.header('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${publicUrl}`));
    return payload;
  });
}
