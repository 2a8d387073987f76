import { createAccount } from './accounts/manage-accounts.ts';
import { createMember } from './accounts/members.ts';
import { ensurePerson } from './identity/people.ts';
import { mintSignInLink, signInUrl } from './identity/sign-in-link.ts';
import { issueKey } from './keys/manage-keys.ts';
import { scopes } from './keys/scopes.ts';
import type { World } from './platform/world.ts';
import type { Database, Queryable } from './postgres/database.ts';

const ownerEmail = 'owner@example.com';

export interface DemoKeys {
  live: string;
  test: string;
  /** Of the one-time link that signs the demo company's owner in. */
  signInToken: string;
}

/**
 * Creates the demo company at the first start, when the database has no accounts. Calls `show` before the commit. So an
 * interrupted start has created a company whose keys were shown, or none, and the next start is the first again.
 */
export async function createDemo(world: World, db: Database, show: (keys: DemoKeys) => void): Promise<void> {
  if (await hasAccounts(db)) return;
  await db.transaction(async (tx) => {
    // Processes that start at the same time create only one demo company.
    await tx.query({ name: 'lock_demo', text: 'lock table accounts in exclusive mode', values: [] });
    if (await hasAccounts(tx)) return;

    const account = await createAccount(world, tx, { displayName: 'Demo Company', tier: 'team' });
    const keyOf = async (mode: 'live' | 'test') => {
      const input = { accountId: account.id, mode, scopes, name: `demo ${mode}`, expiresAt: null, legacy: false };
      const issued = await issueKey(world, tx, input, null);
      return issued?.key ?? '';
    };
    await createMember(world, tx, { accountId: account.id, email: ownerEmail, role: 'owner' }, null);
    const owner = await ensurePerson(world, tx, ownerEmail);
    show({
      live: await keyOf('live'),
      test: await keyOf('test'),
      signInToken: await mintSignInLink(world, tx, owner.id, 'demo', account.id),
    });
  });
}

async function hasAccounts(db: Queryable): Promise<boolean> {
  return (await db.query({ name: 'any_account', text: 'select 1 from accounts limit 1', values: [] })).length > 0;
}

/** Returns the text of the first start, with the keys, which are shown only now. `mailbox` is where messages are kept, if they are. */
export function welcome(keys: DemoKeys, origin: string, mailbox: string | null): string {
  return `
Welcome to Countersign. This first start made a demo company with two API keys, shown only now:

  live  ${keys.live}
  test  ${keys.test}   (delivers no e-mail or SMS)

Sign in to the console as its owner, ${ownerEmail} (once, within an hour):

  ${signInUrl(origin, keys.signInToken)}

Create a document and send it (paste these lines into a shell):

  KEY=${keys.live}
  ID=$(curl -s ${origin}/api/v1/documents -H "Authorization: Bearer $KEY" -d '{"title":"First agreement","recipients":[{"name":"Ada Lovelace","email":"ada@example.com"}],"content":{"message":"Please sign."}}' | sed -E 's/.*"id":"([^"]+)".*/\\1/')
  curl -s -X POST ${origin}/api/v1/documents/$ID/send -H "Authorization: Bearer $KEY"

${mailbox === null ? '' : `The signing request is in the local mailbox: ${mailbox}\n`}The API reference: ${origin}/docs
`;
}
