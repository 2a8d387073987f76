import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from './program.ts';

const promised = {
  account: [
    'create',
    'list',
    'show',
    'set-plan',
    'remove',
    'restrict-types',
    'add-credits',
    'branding',
    'email-texts',
    'preview-email',
    'test-email',
    'sending',
    'notices',
    'erase',
    'restricted-papers',
    'requests',
    'signing',
    'embedding',
    'sso',
    'domain',
    'audit',
    'audit-stream',
    'messages',
    'export',
    'exports',
  ],
  user: [
    'create',
    'sign-in-link',
    'remove-second-factor',
    'list',
    'set-role',
    'notices',
    'sessions',
    'sign-out',
    'remove-password',
    'remove-signature',
    'erase',
    'remove',
  ],
  operator: ['add', 'list', 'remove', 'log', 'storage'],
  job: ['list', 'retry'],
  recipient: ['erase'],
  message: ['bounced', 'read-bounce'],
  key: ['create', 'list', 'revoke'],
  webhook: [
    'create',
    'list',
    'remove',
    'pause',
    'resume',
    'choose-events',
    'choose-payload',
    'limit',
    'roll',
    'deliveries',
    'redeliver',
    'redeliver-failed',
    'redeliver-matching',
    'test',
    'attempts',
    'events',
    'event',
    'redeliver-events',
  ],
  document: [
    'list',
    'create',
    'show',
    'void',
    'review',
    'return',
    'cancel-schedule',
    'template',
    'restrict',
    'lift-restriction',
    'copy',
    'mirror',
    'move',
    'attach',
    'edit',
    'fields',
    'form-fields',
    'sending',
    'send',
    'unlock',
    'remind',
    'seal',
    'renew',
    'reassign',
    'links',
    'audit',
    'download',
    'certificate',
  ],
  folder: ['create', 'list', 'rename', 'open', 'close', 'remove', 'members', 'set-member', 'remove-member'],
  'cc-list': ['create', 'list', 'change', 'remove'],
  template: ['create', 'list', 'use', 'remove', 'link'],
  import: ['start', 'files', 'list', 'show'],
  connection: ['start', 'list', 'show', 'remove'],
  mailbox: ['list'],
  verify: [],
  migrate: [],
  doctor: [],
  health: [],
  secrets: ['rotate'],
  backup: [],
  restore: [],
  serve: [],
  login: [],
  logout: [],
  documents: ['create', 'list', 'get', 'send', 'recipients', 'download'],
  imports: ['start', 'list', 'get', 'items'],
  listen: [],
  trigger: [],
  mcp: [],
  samples: ['create'],
};

function child(command: Command, name: string): Command {
  const found = command.commands.find((candidate) => candidate.name() === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

test('the nouns and their verbs are those of the operator contract', async () => {
  const nouns = (await buildProgram([])).commands.map((noun) => noun.name());
  expect(nouns).toEqual(Object.keys(promised));
  for (const [name, verbs] of Object.entries(promised)) {
    const noun = child(await buildProgram([name]), name);
    expect(noun.commands.map((verb) => verb.name())).toEqual(verbs);
  }
});

test('a verb is the same whether it is loaded alone or with all of its noun', async () => {
  for (const [name, verbs] of Object.entries(promised)) {
    const all = child(await buildProgram([name]), name);
    for (const verb of verbs) {
      for (const args of [
        [name, verb],
        ['help', name, verb],
      ]) {
        const alone = child(child(await buildProgram(args), name), verb);
        expect(alone.helpInformation()).toBe(child(all, verb).helpInformation());
      }
    }
    expect(child(await buildProgram([name, 'nothing']), name).commands).toHaveLength(verbs.length);
  }
});

test('every command explains itself and offers --json, except those that run until they are stopped', async () => {
  for (const [name, verbs] of Object.entries(promised)) {
    const noun = child(await buildProgram([name]), name);
    for (const command of verbs.length === 0 ? [noun] : verbs.map((verb) => child(noun, verb))) {
      expect(command.description(), command.name()).not.toBe('');
      if (command.commands.length > 0) continue;
      const offersJson = command.options.some(({ long }) => long === '--json');
      expect(offersJson, command.name()).toBe(!['serve', 'listen', 'mcp'].includes(name));
      for (const option of command.options) expect(option.description, option.flags).not.toBe('');
    }
  }
});

test('single sign-on has verbs of its own, each with --json', async () => {
  const sso = child(child(await buildProgram(['account']), 'account'), 'sso');
  expect(sso.commands.map((verb) => verb.name())).toEqual([
    'show',
    'set',
    'test',
    'remove',
    'add-domain',
    'check-domain',
    'prove-domain',
    'remove-domain',
    'unlink',
  ]);
  for (const verb of sso.commands) {
    expect(verb.description(), verb.name()).not.toBe('');
    expect(verb.options.some(({ long }) => long === '--json')).toBe(true);
  }
});

test('audit streams have verbs of their own, each with --json', async () => {
  const stream = child(child(await buildProgram(['account']), 'account'), 'audit-stream');
  expect(stream.commands.map((verb) => verb.name())).toEqual([
    'show',
    'set',
    'roll',
    'pause',
    'resume',
    'remove',
    'test',
  ]);
  for (const verb of stream.commands) {
    expect(verb.description(), verb.name()).not.toBe('');
    expect(verb.options.some(({ long }) => long === '--json')).toBe(true);
  }
});

test('public links have verbs of their own, each with --json', async () => {
  const link = child(child(await buildProgram(['template']), 'template'), 'link');
  expect(link.commands.map((verb) => verb.name())).toEqual([
    'create',
    'list',
    'show',
    'change',
    'on',
    'off',
    'documents',
    'remove',
  ]);
  for (const verb of link.commands) {
    expect(verb.description(), verb.name()).not.toBe('');
    expect(verb.options.some(({ long }) => long === '--json')).toBe(true);
  }
});

test('help before or after the noun finds its verbs', async () => {
  expect(child(await buildProgram(['help', 'key', 'create']), 'key').commands).not.toHaveLength(0);
  expect(child(await buildProgram(['--json', 'key']), 'key').commands).not.toHaveLength(0);
});
