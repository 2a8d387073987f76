import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { createHostResolver, createTextResolver } from '../../public-fetch/public-fetch.ts';
import { checkDomain, type DomainCheck } from '../../sso/check-domain.ts';
import { findSso } from '../../sso/connection.ts';
import { addDomain, type DomainChange, listDomains, proveDomain, readDomain, removeDomain } from '../../sso/domains.ts';
import { ssoJson } from '../../sso/json.ts';
import { openSso } from '../../sso/open-sso.ts';
import type { SsoDeps } from '../../sso/sso-deps.ts';
import { UsageError } from '../core/arguments.ts';
import { pagesOrigin } from '../core/pages-origin.ts';
import { openSecretBox } from '../core/secret-box.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, table } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

export function defineDomains(sso: Command): void {
  sso
    .command('add-domain <id> <domain>')
    .description('add an e-mail domain, and print the TXT record that proves it')
    .action(async (id: string, domain: string, _options, command: Command) => {
      answer(command, await withDatabase((session) => add(session, id, domain)), ssoText);
    });

  sso
    .command('check-domain <id> <domain>')
    .description('look for the TXT record of a domain, and mark the domain as proven')
    .action(async (id: string, domain: string, _options, command: Command) => {
      const shown = await withDatabase((session) =>
        withSso(session, async (deps) => {
          await findActiveCompany(session.db, id);
          assertProven(await checkDomain(deps, changeOf(id, domain)));
          return showSso(session, id);
        }),
      );
      answer(command, shown, ssoText);
    });

  sso
    .command('prove-domain <id> <domain>')
    .description('mark a domain as proven without a TXT record, once you have checked whose it is')
    .action(async (id: string, domain: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => {
        await add(session, id, domain);
        const { world, db } = session;
        assertProven(await proveDomain(world, db, changeOf(id, domain), null));
        return showSso(session, id);
      });
      answer(command, shown, ssoText);
    });

  sso
    .command('remove-domain <id> <domain>')
    .description('remove a domain: another company can prove it then')
    .action(async (id: string, domain: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => {
        const { world, db } = session;
        await findCompany(db, id);
        const isRemoved = await db.transaction((tx) => removeDomain(world, tx, changeOf(id, domain)));
        if (!isRemoved) throw new Refusal(failures.not_found);
        return showSso(session, id);
      });
      answer(command, shown, ssoText);
    });
}

async function add(session: Session, id: string, domain: string) {
  const { world, db } = session;
  await findActiveCompany(db, id);
  const added = await db.transaction((tx) => addDomain(world, tx, changeOf(id, domain)));
  if (added === null) throw new Refusal('the account has too many domains');
  return showSso(session, id);
}

function changeOf(accountId: string, text: string): DomainChange {
  const domain = readDomain(text);
  if (domain === null) throw new UsageError('the domain must be one of e-mail addresses, such as example.com');
  return { accountId, personId: null, domain };
}

const failures: Record<Exclude<DomainCheck, 'proven'>, string> = {
  taken: 'another account has proven this domain: remove it there first',
  not_found: 'the account has no such domain: add it first',
  missing: 'there is no such TXT record yet: new records can take hours to be seen',
  unavailable: 'the name servers of the domain do not answer: try again later',
};

function assertProven(check: DomainCheck): void {
  if (check !== 'proven') throw new Refusal(failures[check]);
}

/** Opens what single sign-on needs of the network for `work`. */
export async function withSso<Result>(session: Session, work: (deps: SsoDeps) => Promise<Result>): Promise<Result> {
  const { config, world, db } = session;
  const { secretBox } = await openSecretBox({ config, world, db });
  const outside = { world, db, secretBox, hostResolver: createHostResolver(), txt: createTextResolver() };
  const deps = openSso(config, outside);
  try {
    return await work(deps);
  } finally {
    deps.publicFetch.close();
  }
}

export async function showSso({ config, db }: Session, id: string) {
  const [origin, connection, domains] = await Promise.all([pagesOrigin(config), findSso(db, id), listDomains(db, id)]);
  return { account_id: id, ...ssoJson(origin, id, connection, domains) };
}

export function ssoText({ domains, roles, ...settings }: Awaited<ReturnType<typeof showSso>>): string {
  const named = roles.map(({ value, role }) => `${value}=${role}`);
  const fields = Object.entries({ ...settings, roles: named.join(', ') }).map(([name, value]) => [
    name,
    value === '' ? null : value,
  ]);
  return `${card(Object.fromEntries(fields))}\n${table(domains, 'no domains')}`;
}
