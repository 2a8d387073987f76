import { Command } from 'commander';
import { readBuild } from '../../platform/build.ts';
import { oneLine } from './terminal.ts';

interface Noun {
  summary: string;
  /** Loaded on demand, so that a command starts quickly. */
  load(): Promise<{ define(noun: Command, verb: string | undefined): void | Promise<void> }>;
}

/** Work on the database and the files of this installation. */
const installationNouns: Record<string, Noun> = {
  account: { summary: 'companies, their plans and credits', load: () => import('../account/account.ts') },
  user: { summary: 'members of a company', load: () => import('../user/user.ts') },
  operator: {
    summary: 'who may open the operator’s page, and what they did',
    load: () => import('../operator/operator.ts'),
  },
  job: { summary: 'jobs of the queues: list, retry failed ones', load: () => import('../operator/job.ts') },
  recipient: { summary: 'people who got documents: erase one', load: () => import('../user/recipient.ts') },
  message: { summary: 'record e-mails that came back', load: () => import('../message/message.ts') },
  key: { summary: 'API keys: issue, list, revoke', load: () => import('../account/key.ts') },
  webhook: {
    summary: 'webhook endpoints and their deliveries',
    load: () => import('../webhook/webhook.ts'),
  },
  document: {
    summary: 'documents: list, create, send, void, download …',
    load: () => import('../document/document.ts'),
  },
  folder: { summary: 'folders, and who sees the documents in them', load: () => import('../document/folder.ts') },
  'cc-list': { summary: 'lists of people who get copies', load: () => import('../account/cc-list.ts') },
  template: { summary: 'templates for documents', load: () => import('../document/template.ts') },
  import: { summary: 'import documents and see the outcome', load: () => import('../import/import.ts') },
  connection: {
    summary: 'the connected e-signature vendor account',
    load: () => import('../account/connection.ts'),
  },
  mailbox: {
    summary: 'messages in the local mailbox',
    load: () => import('../server/mailbox.ts'),
  },
  verify: {
    summary: 'check that a completed PDF was sealed here and is unaltered',
    load: () => import('../document/verify.ts'),
  },
  migrate: { summary: 'update the database to this version', load: () => import('../server/migrate.ts') },
  doctor: { summary: 'check settings, database, certificate and mail', load: () => import('../server/doctor.ts') },
  health: { summary: 'ask the running service whether it is ready', load: () => import('../server/health.ts') },
  secrets: { summary: 'secrets encrypted with SECRET_KEY', load: () => import('../server/secrets.ts') },
  backup: { summary: 'save everything needed to restore the service', load: () => import('../server/backup.ts') },
  restore: { summary: 'restore a backup', load: () => import('../server/restore.ts') },
  serve: { summary: 'run the service, as npm start does', load: () => import('../server/serve.ts') },
};

/** Call the API of a server, from any machine. */
const clientNouns: Record<string, Noun> = {
  login: { summary: 'store an API key for these commands', load: () => import('../client/login.ts') },
  logout: { summary: 'delete a stored API key', load: () => import('../client/logout.ts') },
  documents: {
    summary: 'documents over the API: create, list, get, send, recipients, download',
    load: () => import('../client/documents.ts'),
  },
  imports: { summary: 'imports over the API: start, list, get, items', load: () => import('../client/imports.ts') },
  listen: {
    summary: 'print webhook events and forward them to a local receiver',
    load: () => import('../client/listen.ts'),
  },
  trigger: { summary: 'send a test event', load: () => import('../client/trigger.ts') },
  mcp: { summary: 'offer the API to an AI assistant (MCP server)', load: () => import('../client/mcp.ts') },
  samples: { summary: 'create a small webhook receiver to start from', load: () => import('../client/samples.ts') },
};

const groups = {
  'This installation:': installationNouns,
  'The API of any server, with a key:': clientNouns,
};

const helpFooter = `
Settings come from the environment. Commands of this installation also read a .env file in the
working directory, as the service does.
Exit codes: 0 done, 1 refused, 2 wrong usage.`;

/** Builds the command tree: every noun by name, and the verb in `args`, or all verbs of the noun. */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('countersign')
    .description('The command line of Countersign, a self-hosted document-signature service.')
    .version(args.includes('--version') ? versionLine() : '', '--version', 'print the version and the commit')
    .addHelpText('after', helpFooter)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(usageLine(text)),
    });

  const words = args.filter((arg) => !arg.startsWith('-'));
  const [wanted, verb] = words[0] === 'help' ? words.slice(1) : words;
  for (const [heading, nouns] of Object.entries(groups)) {
    for (const [name, { summary, load }] of Object.entries(nouns)) {
      const noun = program.command(name).helpGroup(heading).description(summary);
      if (name === wanted) await (await load()).define(noun, verb);
    }
  }
  offerJson(program);
  return program;
}

const endless = ['serve', 'listen', 'mcp'];

/** Adds `--json` to every verb and to the program. Those that run until they are stopped have no result to print. */
function offerJson(command: Command): void {
  const isVerb = command.commands.length === 0 && !endless.includes(command.name());
  if (isVerb || command.parent === null) command.option('--json', 'print exactly one JSON value on stdout');
  for (const child of command.commands) offerJson(child);
}

/** Commander's message on one line, safe to print whatever the argument was. */
function usageLine(text: string): string {
  const words = text
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `countersign: ${oneLine(words.slice(0, lineLengthMax))}\n`;
}

const lineLengthMax = 400;

/** Such as `0.1.0 (commit 6a3522a1b2c3)`. In a clone it asks Git, so it is made only when somebody wants to read it. */
function versionLine(): string {
  const { version, commit } = readBuild();
  return commit === null ? version : `${version} (commit ${commit})`;
}
