import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { oneLine } from './terminal.ts';

interface Noun {
  summary: string;
  /** Only the noun that is asked for is loaded: a command must start quickly. */
  load(): Promise<{ define(noun: Command): void }>;
}

const nouns: Record<string, Noun> = {
  account: { summary: 'companies, their plan and credits', load: () => import('./account.ts') },
  user: { summary: 'members of a company', load: () => import('./user.ts') },
  key: { summary: 'API keys: issue, list, revoke', load: () => import('./key.ts') },
  webhook: {
    summary: 'webhook endpoints and what was delivered to them',
    load: () => import('./webhook.ts'),
  },
  document: { summary: 'documents: list, create, send, void, download …', load: () => import('./document.ts') },
  template: { summary: 'what a company makes its documents from', load: () => import('./template.ts') },
  import: { summary: 'bring documents in, and what became of their files', load: () => import('./import.ts') },
  connection: {
    summary: 'the account at the e-signature vendor that documents are brought over from',
    load: () => import('./connection.ts'),
  },
  mailbox: {
    summary: 'messages that the local mailbox holds',
    load: () => import('./mailbox.ts'),
  },
  verify: {
    summary: 'say whether a completed PDF was sealed here and is unaltered',
    load: () => import('./verify.ts'),
  },
  migrate: { summary: 'bring the database up to this version', load: () => import('./migrate.ts') },
  doctor: { summary: 'check settings, database, certificate and mail', load: () => import('./doctor.ts') },
  secrets: { summary: 'what is encrypted with SECRET_KEY', load: () => import('./secrets.ts') },
  backup: { summary: 'save everything the service needs to go on elsewhere', load: () => import('./backup.ts') },
  restore: { summary: 'make a service of a backup', load: () => import('./restore.ts') },
  serve: { summary: 'run the service, as npm start does', load: () => import('./serve.ts') },
};

const helpFooter = `
Settings come from the environment and a .env file in the working directory, as for the service.
Exit codes: 0 done, 1 refused, 2 wrong usage.`;

/** The command tree of one invocation: every noun by name, the one that `args` ask for with its verbs. */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('countersign')
    .description('The command line of Countersign, a self-hosted document-signature service.')
    .version(packageVersion(), '--version', 'print the version')
    .addHelpText('after', helpFooter)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(usageLine(text)),
    });

  const words = args.filter((arg) => !arg.startsWith('-'));
  const wanted = words[0] === 'help' ? words[1] : words[0];
  for (const [name, { summary, load }] of Object.entries(nouns)) {
    const noun = program.command(name).description(summary);
    if (name === wanted) (await load()).define(noun);
  }
  offerJson(program);
  return program;
}

/** `--json` is understood with every verb, or first of all. `serve` has no result to print. */
function offerJson(command: Command): void {
  const isVerb = command.commands.length === 0 && command.name() !== 'serve';
  if (isVerb || command.parent === null) command.option('--json', 'print exactly one JSON value on stdout');
  for (const child of command.commands) offerJson(child);
}

/** Commander's own words, on one line, without what a stranger's argument could do to the terminal. */
function usageLine(text: string): string {
  const words = text
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `countersign: ${oneLine(words.slice(0, lineLengthMax))}\n`;
}

const lineLengthMax = 400;

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
