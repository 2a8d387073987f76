import { mintSignInLink } from '../../src/identity/sign-in-link.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { addOperator } from '../../src/operators/operators.ts';
import { addMember, type Member, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { createCompany, type TestService } from '../support/service.ts';

/** Someone who runs the service, with an authenticator. */
export interface TestOperator extends Member {
  /** Of the authenticator. */
  secret: string;
}

let operators = 0;

/** Creates a member of a company of its own, who sets up an authenticator and is made an operator. */
export async function createOperator(app: TestService): Promise<TestOperator> {
  const { id } = await createCompany(app);
  const member = await addMember(app, id, 'member', `operator-${++operators}@service.example`);
  const secret = await enrol(app, await signedIn(app, member));
  await app.db.transaction((tx) => addOperator(app.world, tx, member.email));
  return { ...member, secret };
}

export async function enrol(app: TestService, visitor: Visitor): Promise<string> {
  const { secret } = (await visitor.post('/totp')).body;
  const { status } = await visitor.post('/totp/confirm', { code: codeAt(secret, app.clock.now()) });
  if (status !== 200) throw new Error('no authenticator');
  return secret;
}

/** Signs in with a link and a code. The clock advances, because each code is accepted once. */
export async function operatorSignedIn(app: TestService, { personId, secret }: TestOperator): Promise<Visitor> {
  app.clock.advance({ seconds: 30 });
  const visitor = visit(app);
  await visitor.useLink(await mintSignInLink(app.world, app.db, personId, 'operator'));
  const { body, text } = await visitor.post('/sign-in/second-factor', { code: codeAt(secret, app.clock.now()) });
  if (body.next !== 'signed_in') throw new Error(`not signed in: ${text}`);
  return visitor;
}
