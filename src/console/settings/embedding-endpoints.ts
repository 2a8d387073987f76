import { type Static, Type } from 'typebox';
import { embedOriginsMax, readEmbedOrigin, readEmbedOrigins, setEmbedOrigins } from '../../accounts/embed-origins.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

const embeddingBody = Type.Object({
  origins: Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1000 }),
});

/** The sites that may show a company's signing pages in a frame. */
export const embeddingEndpoints = [
  forMembers('GET /embedding', 'admin', {}, async ({ db }, { caller }) => ({
    origins: await readEmbedOrigins(db, caller.membership.account_id),
  })),
  forMembers('POST /embedding', 'admin', { body: embeddingBody, needsFreshSignIn: true }, saveOrigins),
];

async function saveOrigins(
  { world, db }: ConsoleDeps,
  { caller, body }: MemberCall<Static<typeof embeddingBody>>,
): Promise<{ origins: string[] }> {
  const chosen = body.origins.map((text) => {
    const origin = readEmbedOrigin(text);
    if (origin === null) throw new ConsoleError('invalid_input', { param: 'origins' });
    return origin;
  });
  if (new Set(chosen).size > embedOriginsMax) throw new ConsoleError('invalid_input', { param: 'origins' });
  const origins = await db.transaction((tx) =>
    setEmbedOrigins(world, tx, caller.membership.account_id, chosen, caller.person.id),
  );
  if (origins === null) throw new ConsoleError('not_found');
  return { origins };
}
