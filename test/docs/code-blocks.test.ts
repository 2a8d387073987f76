import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { navigation } from '../../docs/site/navigation.ts';
import { virtualPages } from '../../docs/site/virtual-pages.ts';
import { createCcList } from '../../src/accounts/cc-lists.ts';
import { createFolder } from '../../src/accounts/folders.ts';
import { createMember } from '../../src/accounts/members.ts';
import { readConfig } from '../../src/config.ts';
import { listMessages } from '../../src/messages/message.ts';
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts';
import { bin, execute } from '../cli/countersign.ts';
import { postfixReport } from '../cli/delivery-reports.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { createPublicLink } from '../support/public-link.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { samplePng } from '../support/sample-logo.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { hasTool } from '../support/tools.ts';
import { createEndpoint } from '../support/webhooks.ts';
import { sealedDocument } from '../verify/sealed.ts';

const root = resolve(import.meta.dirname, '../..');
/** How pages call the service. The quick start calls the one on the reader's own machine. */
const origins = /https:\/\/sign\.example\.com|http:\/\/127\.0\.0\.1:3000\b/g;

/** Blocks that other tests execute, by page and number of the block. */
const executedElsewhere: Record<string, Record<number, string>> = {
  'guides/custom-domain.md': { 0: 'test/cli/account-domain.test.ts' },
  'guides/embed.md': { 2: 'test/browser/embedded.test.ts' },
  'start/quick-start.md': { 0: 'test/full/packed.sh' },
  'operate/install.md': { 0: 'test/full/packed.sh', 1: 'test/full/packed.sh' },
  'operate/performance.md': { 1: 'bench/main.ts' },
  'operate/containers.md': { 0: 'test/full/image.sh' },
  'operate/operator-page.md': { 0: 'test/cli/operator.test.ts', 1: 'test/cli/operator.test.ts' },
  'operate/monitor.md': { 0: 'test/cli/health.test.ts' },
  'guides/api-client.md': {
    1: 'test/cli/api-client.test.ts',
    2: 'test/cli/api-client.test.ts',
    3: 'test/api/event-stream.test.ts',
  },
  'guides/mcp.md': { 0: 'test/mcp/stdio.test.ts', 3: 'test/mcp/http.test.ts' },
  'guides/audit-stream.md': { 2: 'test/audit-stream/guide.test.ts', 3: 'test/audit-stream/syslog.test.ts' },
  'guides/vendor-import.md': { 0: 'test/esign/starting.test.ts', 1: 'test/cli/import-starting.test.ts' },
  'operate/retention.md': Object.fromEntries([1, 2, 3].map((index) => [index, 'test/retention/erasure.test.ts'])),
  'operate/back-up.md': {
    1: 'test/cli/backup.test.ts',
    ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9].map((index) => [index, 'test/retention/restore.test.ts'])),
  },
  'verify.md': Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].map((index) => [index, 'test/verify/check-sealed-pdf.test.ts']),
  ),
};

/** Blocks for Docker, Kubernetes and systemd, none of which tests have. `test/deploy` checks the files that they use. */
const executedNowhere: Record<string, number[]> = {
  'operate/install.md': [2, 4],
  'operate/containers.md': [1, 2, 3, 4],
};

interface Block {
  page: string;
  index: number;
  language: string;
  code: string;
}

function blocksOf(page: string): Block[] {
  const text = virtualPages[page] ?? readFileSync(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language = '', code = ''], index) => {
    return { page, index, language, code };
  });
}

/** Without the packages, whose pages show parts of programs. */
const pages = navigation.flatMap((group) => group.pages).filter((page) => !page.startsWith('clients/'));
const blocks = pages.flatMap(blocksOf);

let app: TestService;
let company: Company;
/** Where the commands run. It has `bin/countersign`, as a clone does. */
let folder: string;
let receiver: Receiver;
let variables: Record<string, string>;

beforeAll(async () => {
  app = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  company = await createCompany(app);
  receiver = await startReceiver();
  await eraseFiles();
  variables = await fixtures();
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

/** Makes a directory with what the reader of a page has. */
function prepareFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'countersign-docs-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(bin, join(folder, 'bin', 'countersign'));
  symlinkSync(join(root, 'docs/verify/check_audit_trails.py'), join(folder, 'check_audit_trails.py'));
  writeFileSync(join(folder, 'resolve.mjs'), resolveClient);
  writeFileSync(join(folder, 'lease.pdf'), aPdf());
  writeFileSync(join(folder, 'logo.png'), samplePng());
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  writeFileSync(join(folder, 'report.eml'), postfixReport(`<${variables.MESSAGE}@localhost>`));
  writeFileSync(
    join(folder, 'guest.json'),
    JSON.stringify({ title: 'Photo consent', recipients: [{ name: 'Guest' }] }),
  );
  writeFileSync(join(folder, 'draft.json'), JSON.stringify({ title: 'Lease', recipients }));
  writeFileSync(
    join(folder, 'fields.json'),
    blocksOf('guides/attached-pdfs.md')[0]?.code.replaceAll('"page": 3', '"page": 1') ?? '',
  );
}

/** Leaves a completed document without a file, which examples must not stop at. */
async function eraseFiles(): Promise<void> {
  await sealedDocument(app, company, 'erased.example.com');
  const erase = ['recipient', 'erase', '--email', 'ada@erased.example.com', '--files', 'delete', '--confirm'];
  const settings = { PATH: process.env.PATH ?? '', DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir };
  expect(await execute(bin, erase, settings, root)).toMatchObject({ code: 0 });
}

/** What the variables of the pages stand for. */
async function fixtures(): Promise<Record<string, string>> {
  const { id: completed } = await sealedDocument(app, company, 'sealed.example.com');
  const create = async (body: object) => (await call(app, 'POST', '/documents', { key: company.key, body })).body.id;
  const draft = { title: 'Lease', recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] };
  const sent = await createSent(app, company.key);
  const { body } = await call(app, 'GET', `/documents/${sent}/recipients`, { key: company.key });
  const member = { accountId: company.id, email: 'member@example.com', role: 'member' } as const;
  const endpoint = await createEndpoint(app, company.id, receiver.url);
  const created = await app.db.transaction((tx) => createMember(app.world, tx, member, null));
  const delivery = await sendTestEvent(app.world, app.db, endpoint.id, 'document.sent', {});
  await eventually(
    async () => receiver.received,
    (received) => received.length > 0,
  );
  const [request] = await eventually(
    () => listMessages(app.db, company.id, sent),
    ([message]) => message?.status === 'accepted',
  );
  const link = await createPublicLink(app, company);
  const named = { name: 'Personnel', key: 'personnel', isOpen: false };
  const personnel = await app.db.transaction((tx) => createFolder(app.world, tx, company.id, named, null));
  const cc = { name: 'Archive', key: 'archive', isDefault: false, people: [{ name: 'Ada', email: 'ada@example.com' }] };
  const ccList = await app.db.transaction((tx) => createCcList(app.world, tx, company.id, cc, null));
  return {
    KEY: company.key,
    TEST_KEY: company.testKey,
    ACCOUNT: company.id,
    OTHER: (await createCompany(app)).id,
    DRAFT: await create(draft),
    ANOTHER_DRAFT: await create(draft),
    NEXT_DRAFT: await create(draft),
    SENT: sent,
    RECIPIENT: body.data[0].id,
    MESSAGE: request?.id ?? '',
    COMPLETED: completed,
    TEMPLATE: link.template_id,
    LINK: link.id,
    FOLDER: personnel?.id ?? '',
    CC_LIST: ccList?.id ?? '',
    ENDPOINT: endpoint.id,
    DELIVERY: delivery?.id ?? '',
    MEMBER: created?.id ?? '',
  };
}

/** Lets scripts import the client of this repository by its name. */
const resolveClient = `import { registerHooks } from 'node:module';
const client = ${JSON.stringify(pathToFileURL(join(root, 'packages/client/src/index.ts')).href)};
registerHooks({ resolve: (name, context, next) => (name === '@countersign/client' ? { url: client, shortCircuit: true } : next(name, context)) });
`;

function environment(): Record<string, string> {
  return {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.dataDir,
    COUNTERSIGN_BASE_URL: app.baseUrl,
    PYTHONPATH: join(root, 'packages/client-python'),
    ...variables,
  };
}

/** Runs a block with the address of the test's service. Returns what it printed. */
async function run({ language, code: written }: Block): Promise<string> {
  const code = written.replaceAll(origins, app.service.origin).replaceAll('/backups/', `${folder}/`);
  const [file, args] = commandOf(language, code);
  const { code: status, stdout, stderr } = await execute(file, args, environment(), folder, `${company.key}\n`);
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.toString();
}

function commandOf(language: string, code: string): [string, string[]] {
  // An answer with an error status fails the block.
  if (language === 'sh')
    return [
      'bash',
      [
        '-c',
        `set -euo pipefail; touch vars; . ./vars; curl() { command curl --fail-with-body "$@"; }\n${code}\ndeclare -p ID >vars 2>/dev/null || true`,
      ],
    ];
  const name = join(folder, { ts: 'block.ts', python: 'block.py' }[language] ?? '');
  writeFileSync(name, code);
  if (language === 'python') return ['python3', [name]];
  return [process.execPath, ['--import', join(folder, 'resolve.mjs'), name]];
}

/** What a reader does after a block, and what the block must have printed. */
const after: Record<string, (printed: string) => void | Promise<void>> = {
  'start/quick-start.md 2': (printed) => expect(printed).toMatch(/status +sent/),
  'start/quick-start.md 4': async (printed) => {
    expect(printed).toContain('/sign/');
    await signAs(app, 'ada@example.com', 'Ada Lovelace');
    await sealed(printedId());
  },
  'start/quick-start.md 5': (printed) => expect(printed).toContain('genuine and unaltered'),
};

const printedId = () => /ID="(.+)"/.exec(readFileSync(join(folder, 'vars'), 'utf8'))?.[1] ?? '';

async function sealed(id: string): Promise<void> {
  await eventually(
    () => call(app, 'GET', `/documents/${id}/download`, { key: company.key }),
    ({ status }) => status === 200,
  );
}

describe.each(pages.filter((page) => blocksOf(page).some(isExecutedHere)))('%s', (page) => {
  beforeAll(prepareFolder);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(blocksOf(page).filter(isExecutedHere))('block $index ($language) does what it says', async (block) => {
    if (block.language === 'json')
      return void block.code
        .trim()
        .split(/\n(?=\{)/)
        .map((each) => JSON.parse(each));
    if (isSettings(block)) return checkSettings(block.code);
    if (block.language === 'python' && !hasTool('python3')) return;
    const printed = await run(block);
    await after[`${page} ${block.index}`]?.(printed);
  });
});

function isExecutedHere({ page, index, language }: Block): boolean {
  if (language === 'chart' || page === 'guides/receivers.md') return false;
  return executedElsewhere[page]?.[index] === undefined && executedNowhere[page]?.includes(index) !== true;
}

function isSettings({ code }: Block): boolean {
  return code.split('\n').every((line) => line === '' || /^[A-Z_]+=/.test(line));
}

/** The service accepts these settings. Files that they name exist on the reader's machine only. */
function checkSettings(code: string): void {
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'secret\n');
  const settings = Object.fromEntries(
    code
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [, name = '', value = ''] = /^([A-Z_]+)='?(.*?)'?$/.exec(line) ?? [];
        return [name, name.endsWith('_FILE') ? secret : value];
      }),
  );
  expect(() => readConfig(settings)).not.toThrow();
}

test('blocks that are executed elsewhere exist, as do their tests', () => {
  for (const [page, elsewhere] of Object.entries(executedElsewhere)) {
    for (const [index, path] of Object.entries(elsewhere)) {
      expect(blocksOf(page)[Number(index)], `${page} ${index}`).toBeDefined();
      expect(() => readFileSync(join(root, path))).not.toThrow();
    }
  }
  expect(blocks.map(({ language }) => language).filter((each) => !known.includes(each))).toEqual([]);
});

const known = ['sh', 'ts', 'html', 'python', 'json', 'text', 'chart', 'js', 'go', 'php'];
