import { isIP } from 'node:net';
import { auditAccount } from '../accounts/account-audit.ts';
import type { World } from '../platform/world.ts';
import type { Tx } from '../postgres/database.ts';
import { type CustomDomain, type DomainProblem, findDomain, hostOfService, lockDomain, proofOf } from './domain.ts';
import type { DomainDeps, DomainResolvers } from './domain-deps.ts';
import { activateDomain, type DomainChange, HostTaken } from './manage-domain.ts';

/** How long the proof of an active domain may be missing. Links lead to PUBLIC_URL after it, until the proof is back. */
const graceMs = 60 * 60_000;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Looks up the records of a company's domain and records what it found. `personId` is null for the service and the operator.
 * Returns the domain as it then is. Null: there is none.
 */
export async function checkDomain(deps: DomainDeps, change: DomainChange): Promise<CustomDomain | null> {
  const { world, db, publicUrl, resolvers } = deps;
  const domain = await findDomain(db, change.accountId);
  if (domain === null || publicUrl === null || domain.proven_by === 'operator') return domain;
  const problem = await lookUp(resolvers, domain, hostOfService(publicUrl));
  try {
    await db.transaction((tx) => record(world, tx, change, domain, problem));
  } catch (error) {
    if (!(error instanceof HostTaken)) throw error;
    await db.transaction((tx) => record(world, tx, change, domain, 'taken'));
  }
  return findDomain(db, change.accountId);
}

/** Null: the proof is there, and the name leads to this service. */
async function lookUp(
  { txt, hosts, aliases }: DomainResolvers,
  domain: CustomDomain,
  serviceHost: string,
): Promise<DomainProblem | null> {
  const proof = proofOf(domain);
  const texts = await txt.resolve(proof.name);
  if (texts.kind === 'failed') return 'unavailable';
  if (texts.kind === 'none' || !texts.records.some((record) => record.trim() === proof.value)) return 'record_missing';

  if ((await aliases.resolve(domain.host)).includes(serviceHost)) return null;
  const own = isIP(serviceHost) === 0 ? await hosts.resolve(serviceHost) : null;
  const found = await hosts.resolve(domain.host);
  if (found.kind === 'our_fault' || (found.kind === 'none' && found.serversFail)) return 'unavailable';
  // Without the addresses of the service, nothing can be said of those of the company.
  if (own !== null && own.kind !== 'addresses') return 'unavailable';
  const expected = own === null ? [serviceHost] : own.addresses;
  const isHere = found.kind === 'addresses' && found.addresses.some((address) => expected.includes(address));
  return isHere ? null : 'elsewhere';
}

/** `checked`: the domain that was looked up, which may have been removed or replaced meanwhile. */
async function record(
  world: World,
  tx: Tx,
  change: DomainChange,
  checked: CustomDomain,
  problem: DomainProblem | null,
): Promise<void> {
  const domain = await lockDomain(tx, checked.account_id);
  if (domain === null || domain.challenge !== checked.challenge || domain.proven_by === 'operator') return;
  const now = world.clock.now();
  if (problem === null && domain.state !== 'active') {
    return activateDomain(world, tx, change, 'dns', nextCheck(now, { ...domain, state: 'active' }, null));
  }
  const failingSince = failingSinceOf(domain, problem, now);
  const isOver = failingSince !== null && now.getTime() - failingSince.getTime() >= graceMs;
  const isBroken = domain.state === 'active' && problem !== 'unavailable' && isOver;
  const state = isBroken ? 'broken' : domain.state;
  await tx.query({
    name: 'record_custom_domain_check',
    text: `update custom_domains set state = $2, problem = $3, failing_since = $4, checked_at = $5, next_check_at = $6
           where account_id = $1`,
    values: [domain.account_id, state, problem, failingSince, now, nextCheck(now, { ...domain, state }, problem)],
  });
  if (!isBroken) return;
  const detail = { host: domain.host, problem };
  await auditAccount(world, tx, { ...change, personId: null, action: 'custom_domain_broken', detail });
}

/** A failure of name servers says nothing about the proof: it starts nothing and ends nothing. */
function failingSinceOf({ state, failing_since }: CustomDomain, problem: DomainProblem | null, now: Date): Date | null {
  if (state === 'waiting' || problem === null) return null;
  if (failing_since !== null) return new Date(failing_since);
  return problem === 'unavailable' ? null : now;
}

/** Soon after it was typed, as its owner waits, and rarely later. A claim that stays unproven for a month is left alone. */
function nextCheck(now: Date, { state, created_at }: CustomDomain, problem: DomainProblem | null): Date | null {
  const after = (minutes: number) => new Date(now.getTime() + minutes * minuteMs);
  if (state !== 'waiting') return after(state === 'active' && problem === null ? 10 : 5);
  const ageMs = now.getTime() - new Date(created_at).getTime();
  if (ageMs > 30 * dayMs) return null;
  return after(ageMs < 2 * 60 * minuteMs ? 1 : ageMs < dayMs ? 10 : 60);
}
