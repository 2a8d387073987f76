import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAccountName } from '../accounts/manage-accounts.ts';
import { type OwnNotices, readOwnNotices, stopOwnNotice } from '../accounts/own-notices.ts';
import { contentSecurityPolicy, pageHeaders } from '../http/security-headers.ts';
import { type UnsubscribeLinks, type Unsubscription, unsubscribePath } from '../messages/unsubscribe-links.ts';
import { preferredLanguage } from '../platform/language.ts';
import type { World } from '../platform/world.ts';
import type { Database } from '../postgres/database.ts';
import { answerFailure } from './answer-failure.ts';
import { renderUnknownLinkPage } from './pages/notice-pages.ts';
import { renderUnsubscribePage } from './pages/unsubscribe-page.ts';

interface UnsubscribeRoutesOptions {
  world: World;
  database: Database;
  guardIp: (ip: string) => void;
  links: UnsubscribeLinks;
}

interface UnsubscribeRoute {
  Params: { token: string };
}

/** The form is submitted without a script. */
const headers = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy.replace("form-action 'none'", "form-action 'self'"),
  vary: 'accept-language',
};
/** `List-Unsubscribe=One-Click`, as a form of either kind. It is not read: the token says everything. */
const bodyBytesMax = 4096;

/**
 * Serves the links in notices to senders. A GET changes nothing, because mail gateways fetch every link. A POST switches the
 * notice off: from the page's button, or from a mail program (RFC 8058), which has neither cookies nor our origin.
 */
export async function unsubscribeRoutes(app: FastifyInstance, options: UnsubscribeRoutesOptions): Promise<void> {
  const { world, database, links } = options;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    options.guardIp(request.ip);
  });
  app.setErrorHandler((error, request, reply) => answerFailure(world, request, reply, error as Error));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, _body, done) => done(null));

  const answer = async (
    request: FastifyRequest<UnsubscribeRoute>,
    reply: FastifyReply,
    readState: (unsubscription: Unsubscription) => Promise<OwnNotices | null>,
  ) => {
    const language = preferredLanguage(request.headers['accept-language']);
    const unsubscription = links.read(request.params.token);
    const own = unsubscription && (await readState(unsubscription));
    reply.type('text/html; charset=utf-8');
    if (unsubscription === null || own === null) return reply.code(404).send(renderUnknownLinkPage(language));
    const { accountId, kind } = unsubscription;
    const accountName = await readAccountName(database, accountId);
    return reply.send(renderUnsubscribePage({ language, accountName, kind, isOff: !own.kinds.includes(kind) }));
  };

  app.get<UnsubscribeRoute>(unsubscribePath, (request, reply) =>
    answer(request, reply, (of) => readOwnNotices(database, of)),
  );
  app.post<UnsubscribeRoute>(unsubscribePath, (request, reply) =>
    answer(request, reply, (of) => database.transaction((tx) => stopOwnNotice(world, tx, of, of.kind))),
  );
}
