import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { findMember } from '../../accounts/members.ts';
import { Refusal } from '../../errors.ts';
import { findSso, removeSso, type SsoConnection } from '../../sso/connection.ts';
import { unlink } from '../../sso/identities.ts';
import { readSsoInput, type TypedSso } from '../../sso/read-input.ts';
import { refusalOf, saveSso } from '../../sso/save-sso.ts';
import { problemSentences, testProvider } from '../../sso/test-provider.ts';
import { oneOf, UsageError } from '../core/arguments.ts';
import { byId } from '../core/by-id.ts';
import { openSecretBox } from '../core/secret-box.ts';
import { type Session, withDatabase } from '../core/session.ts';
import { answer, remark } from '../core/terminal.ts';
import { memberJson } from '../user/member-json.ts';
import { defineDomains, showSso, ssoText, withSso } from './account-sso-domains.ts';
import { findActiveCompany, findCompany } from './find-company.ts';

interface SetOptions {
  issuer?: string;
  clientId?: string;
  clientSecretFile?: string;
  roleClaim?: string;
  roleValue?: string[];
  defaultRole?: string;
  required?: 'on' | 'off';
}

/** Everything that owners do in Settings › Single sign-on. */
export function defineSso(account: Command): void {
  const sso = account
    .command('sso')
    .description('single sign-on of a company: provider, roles, e-mail domains, only single sign-on');

  sso
    .command('show <id>')
    .description('show the settings, without the client secret, and the redirect address for the provider')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => {
        await findCompany(session.db, id);
        return showSso(session, id);
      });
      answer(command, shown, ssoText);
    });

  sso
    .command('set <id>')
    .description('set or change the provider; what is left out stays')
    .option('--issuer <url>', 'the issuer of the OpenID Connect provider')
    .option('--client-id <id>', 'as whom the provider knows this service')
    .option('--client-secret-file <file>', 'a file with the client secret, or - for standard input')
    .option('--role-claim <name>', 'the claim with the groups of a person; none: roles don’t follow groups')
    .option('--role-value <value=role...>', 'a group and its role, admin or member; replaces all earlier ones')
    .option(
      '--default-role <role>',
      'the role of new people without a group: admin, member, or none for invited people only',
      oneOf('--default-role', ['admin', 'member', 'none']),
    )
    .option(
      '--required <on|off>',
      'only single sign-on for everyone but owners with two factors',
      oneOf('--required', ['on', 'off']),
    )
    .action(async (id: string, options: SetOptions, command: Command) => {
      answer(command, await withDatabase((session) => set(session, id, options)), ssoText);
    });

  sso
    .command('test <id>')
    .description('read the discovery document and the keys of the provider, and say what is wrong')
    .action(async (id: string, _options, command: Command) => {
      const result = await withDatabase((session) =>
        withSso(session, async (deps) => {
          await findCompany(session.db, id);
          const { issuer } = await configured(session, id);
          return testProvider(deps, issuer);
        }),
      );
      if (!result.works) {
        const named = result.value === null ? '' : ` (${result.value})`;
        throw new Refusal(problemSentences[result.problem] + named);
      }
      answer(command, result, () => 'the provider answers as it should\n');
    });

  sso
    .command('remove <id>')
    .description('remove single sign-on: people sign in in the other ways, and stay members')
    .action(async (id: string, _options, command: Command) => {
      const shown = await withDatabase(async (session) => {
        await findCompany(session.db, id);
        const { version } = await configured(session, id);
        const change = { accountId: id, personId: null, version, sessionId: null };
        const isRemoved = await session.db.transaction((tx) => removeSso(session.world, tx, change));
        if (!isRemoved) throw refusalOf('changed_meanwhile');
        return showSso(session, id);
      });
      answer(command, shown, ssoText);
    });

  defineDomains(sso);

  sso
    .command('unlink <member>')
    .description('forget whom the provider means by a member, for example after their account there was made again')
    .action(async (id: string, _options, command: Command) => {
      const member = await withDatabase(async ({ world, db }) => {
        const found = await byId('member', id, () => findMember(db, id));
        const { account_id: accountId, email } = found;
        const isUnlinked = await db.transaction((tx) => unlink(world, tx, { accountId, email, personId: null }));
        if (!isUnlinked) throw new Refusal('the member is not linked to the provider');
        return found;
      });
      answer(command, memberJson(member), () => 'unlinked\n');
    });
}

async function configured({ db }: Session, id: string): Promise<SsoConnection> {
  const found = await findSso(db, id);
  if (found === null) throw new Refusal('the account has no single sign-on');
  return found;
}

async function set(session: Session, id: string, options: SetOptions) {
  const { config, world, db } = session;
  await findActiveCompany(db, id);
  const held = await findSso(db, id);
  if (held === null && (options.issuer === undefined || options.clientId === undefined)) {
    throw new UsageError('the account has no single sign-on yet: give --issuer, --client-id and --client-secret-file');
  }
  const secret = options.clientSecretFile === undefined ? '' : await readSecret(options.clientSecretFile);
  const read = readSsoInput(typed(held, options, secret), config.ssoAllowPrivate);
  if ('fault' in read) throw new UsageError(faults[read.fault] ?? `${read.fault} is not valid`);
  const { secretBox, concern } = await openSecretBox({ config, world, db });
  if (concern !== null) remark(concern);
  const change = { accountId: id, personId: null, version: held?.version ?? 0, sessionId: null };
  const refusal = await db.transaction((tx) => saveSso(world, tx, secretBox, change, read.input));
  if (refusal !== null) throw refusalOf(refusal);
  return showSso(session, id);
}

function typed(held: SsoConnection | null, options: SetOptions, secret: string): TypedSso {
  const { issuer, clientId, roleClaim, roleValue, defaultRole, required } = options;
  const isRoleless = roleClaim === 'none';
  const role = defaultRole ?? held?.default_role ?? '';
  return {
    issuer: issuer ?? held?.issuer ?? '',
    client_id: clientId ?? held?.client_id ?? '',
    client_secret: secret,
    role_claim: isRoleless ? '' : (roleClaim ?? held?.role_claim ?? ''),
    roles: isRoleless ? [] : (roleValue?.map(readRoleValue) ?? held?.roles ?? []),
    default_role: role === 'none' ? '' : role,
    is_required: required === undefined ? (held?.is_required ?? false) : required === 'on',
  };
}

/** A value may have `=` itself, as in `cn=admins,dc=example=admin`. */
function readRoleValue(text: string): { value: string; role: string } {
  const at = text.lastIndexOf('=');
  return { value: text.slice(0, Math.max(at, 0)), role: text.slice(at + 1) };
}

const faults: Record<string, string> = {
  issuer: '--issuer must be a public https address without a query, such as https://login.example.com',
  client_id: '--client-id must have 1 to 300 characters',
  client_secret: 'the client secret must have 1 to 1000 characters, in one line',
  role_claim: '--role-claim must have 1 to 200 characters',
  roles: '--role-claim and --role-value belong together: at most 100 groups, each once, as group=admin or group=member',
};

async function readSecret(path: string): Promise<string> {
  try {
    const { text } = await import('node:stream/consumers');
    const secret = (path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')).trim();
    if (secret !== '') return secret;
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  throw new Refusal('the client secret is empty');
}
