import type { Command } from 'commander';
import { checkDomain } from '../../custom-domain/check-domain.ts';
import { type CustomDomain, findDomain, hostOfService } from '../../custom-domain/domain.ts';
import { type HostFault, readHostName } from '../../custom-domain/host-name.ts';
import { domainJson } from '../../custom-domain/json.ts';
import {
  type DomainChange,
  HostTaken,
  removeDomain,
  setDomain,
  vouchForDomain,
} from '../../custom-domain/manage-domain.ts';
import { Refusal } from '../../errors.ts';
import { createAliasResolver, createHostResolver, createTextResolver } from '../../public-fetch/public-fetch.ts';
import { UsageError } from '../core/arguments.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, card, oneLine, table } from '../core/terminal.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

const examples = `
Examples:
  countersign account domain set $ACCOUNT documents.acme.example
  countersign account domain check $ACCOUNT
  countersign account domain remove $ACCOUNT`;

/** Everything that owners and admins do in Settings › Domain, and what only the operator can. */
export function defineDomain(account: Command): void {
  const domain = account
    .command('domain')
    .description('a company’s own host name for its signing pages')
    .addHelpText('after', examples);

  domain
    .command('show <id>')
    .description('show the host, its state and the DNS records it needs')
    .action((id: string, _options, command: Command) =>
      print(command, async (session) => {
        await findCompany(session.db, id);
        return findDomain(session.db, id);
      }),
    );

  domain
    .command('set <id> <host>')
    .description('claim a host, and print the records to make')
    .action((id: string, host: string, _options, command: Command) =>
      print(command, async (session) => {
        const { world, db } = session;
        await findActiveCompany(db, id);
        const claimed = readHost(session, host);
        const set = await db.transaction((tx) => setDomain(world, tx, by(id), claimed));
        if (set === 'not_found') return null;
        if (set === 'other_host') throw new Refusal('the account has another host: remove it first');
        return set;
      }),
    );

  domain
    .command('check <id>')
    .description('look up the records now; an active domain stays active for an hour after its records are gone')
    .action((id: string, _options, command: Command) =>
      print(command, async (session) => {
        const { world, db } = session;
        await findActiveCompany(db, id);
        const resolvers = { txt: createTextResolver(), hosts: createHostResolver(), aliases: createAliasResolver() };
        return checkDomain({ world, db, publicUrl: publicUrlOf(session), resolvers }, by(id));
      }),
    );

  domain
    .command('activate <id> <host>')
    .description('make the host active without its records, once you have checked whose it is; it is not checked again')
    .action((id: string, host: string, _options, command: Command) =>
      print(command, async (session) => {
        const { world, db } = session;
        await findActiveCompany(db, id);
        const checked = readHost(session, host);
        try {
          const active = await db.transaction((tx) => vouchForDomain(world, tx, by(id), checked));
          if (active === 'other_host') throw new Refusal('the account has claimed another host: check whose that is');
          return active;
        } catch (error) {
          if (!(error instanceof HostTaken)) throw error;
          throw new Refusal('another account has this host: remove it there first');
        }
      }),
    );

  domain
    .command('remove <id>')
    .description('remove the host; links lead to PUBLIC_URL, and another company can have the host')
    .action(async (id: string, _options, command: Command) => {
      const removed = await withDatabase(async ({ world, db }) => {
        await findCompany(db, id);
        const found = await db.transaction((tx) => removeDomain(world, tx, by(id)));
        if (found === null) throw new Refusal(noDomain);
        return { account_id: id, host: found.host };
      });
      answer(command, removed, ({ host }) => `removed: links no longer lead to ${oneLine(host)}\n`);
    });
}

const noDomain = 'the account has no host of its own';
const by = (accountId: string): DomainChange => ({ accountId, personId: null });

const faults: Record<HostFault, string> = {
  invalid: 'the host must be a full host name, such as documents.acme.example',
  too_short: 'the host must be a name of the company, such as documents.acme.example',
  ours: 'the host must not be that of PUBLIC_URL, or above or below it',
};

function readHost(session: Session, host: string): string {
  const read = readHostName(host, hostOfService(publicUrlOf(session)));
  if ('fault' in read) throw new UsageError(faults[read.fault]);
  return read.host;
}

function publicUrlOf({ config }: Session): string {
  if (config.publicUrl !== null) return config.publicUrl;
  throw new Refusal('set PUBLIC_URL first: companies point their host to it');
}

async function print(command: Command, find: (session: Session) => Promise<CustomDomain | null>): Promise<void> {
  const shown = await withDatabase(async (session) => {
    const domain = await find(session);
    if (domain === null) throw new Refusal(noDomain);
    return { account_id: domain.account_id, ...domainJson(domain, publicUrlOf(session)) };
  });
  answer(command, shown, ({ records, ...of }) => `${card(of)}\n${table(records, '')}`);
}
