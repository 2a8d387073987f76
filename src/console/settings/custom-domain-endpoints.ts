import { Type } from 'typebox';
import { checkDomain } from '../../custom-domain/check-domain.ts';
import { findDomain, hostOfService } from '../../custom-domain/domain.ts';
import { type HostFault, readHostName } from '../../custom-domain/host-name.ts';
import { domainJson } from '../../custom-domain/json.ts';
import { type DomainChange, removeDomain, setDomain } from '../../custom-domain/manage-domain.ts';
import { countTry } from '../../identity/guess-limit.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError, type ConsoleErrorCode } from '../core/console-error.ts';

/** Longer texts are refused by the rules of host names. */
const hostBody = Type.Object({ host: Type.String({ maxLength: 2000 }) });
const needsFreshSignIn = true;

/** The host name of the company's own for its signing pages. Each answer has the domain as it then is. */
export const customDomainEndpoints = [
  forMembers('GET /custom-domain', 'admin', {}, answerDomain),
  forMembers('POST /custom-domain', 'admin', { body: hostBody, needsFreshSignIn }, set),
  forMembers('POST /custom-domain/check', 'admin', { needsFreshSignIn }, check),
  forMembers('POST /custom-domain/remove', 'admin', { needsFreshSignIn }, remove),
];

async function answerDomain({ db, domains: { publicUrl } }: ConsoleDeps, { caller }: Pick<MemberCall, 'caller'>) {
  if (publicUrl === null) return { service_host: null, domain: null };
  const domain = await findDomain(db, caller.membership.account_id);
  return { service_host: hostOfService(publicUrl), domain: domain && domainJson(domain, publicUrl) };
}

const faults: Record<HostFault, ConsoleErrorCode> = {
  invalid: 'invalid_host',
  too_short: 'host_too_short',
  ours: 'host_of_service',
};

async function set(deps: ConsoleDeps, call: MemberCall<{ host: string }>) {
  const { world, db, domains } = deps;
  if (domains.publicUrl === null) throw new ConsoleError('custom_domain_unavailable');
  const read = readHostName(call.body.host, hostOfService(domains.publicUrl));
  if ('fault' in read) throw new ConsoleError(faults[read.fault], { param: 'host' });
  const domain = await db.transaction((tx) => setDomain(world, tx, changeOf(call), read.host));
  if (domain === 'not_found') throw new ConsoleError('not_found');
  if (domain === 'other_host') throw new ConsoleError('other_host');
  return answerDomain(deps, call);
}

/** Looks up the records now. Throws `too_many_tries`. */
async function check(deps: ConsoleDeps, call: MemberCall) {
  await countTry(deps.world, deps.db, 'custom_domain_check', call.caller.membership.account_id);
  const domain = await checkDomain(deps.domains, changeOf(call));
  if (domain === null) throw new ConsoleError('not_found');
  return answerDomain(deps, call);
}

async function remove(deps: ConsoleDeps, call: MemberCall) {
  const removed = await deps.db.transaction((tx) => removeDomain(deps.world, tx, changeOf(call)));
  if (removed === null) throw new ConsoleError('not_found');
  return answerDomain(deps, call);
}

function changeOf({ caller }: Pick<MemberCall, 'caller'>): DomainChange {
  return { accountId: caller.membership.account_id, personId: caller.person.id };
}
