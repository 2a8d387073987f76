import type { Visitor } from '../../console/visitor.ts';
import { addMember, signedIn } from '../../console/visitor.ts';
import type { TestService } from '../../support/service.ts';
import { consent } from './consent.ts';

/** Connects the company as its owner does in a browser. Returns that owner. */
export async function connectCompany(
  app: Pick<TestService, 'world' | 'db' | 'baseUrl'>,
  accountId: string,
): Promise<Visitor> {
  const owner = await signedIn(app, await addMember(app, accountId, 'owner'));
  await connect(owner);
  return owner;
}

/** Throws if nothing is connected afterwards. */
export async function connect(owner: Visitor): Promise<void> {
  const callback = await consent(await start(owner));
  const { status, text } = await owner.page(callback.pathname + callback.search);
  if (status !== 303) throw new Error(`not connected: ${status} ${text}`);
}

/** Returns the address of the vendor's consent page. */
export async function start(owner: Visitor): Promise<string> {
  const { status, body, text } = await owner.post('/connections/esign_vendor/start');
  if (status !== 200) throw new Error(`not started: ${status} ${text}`);
  return body.redirect_to;
}
