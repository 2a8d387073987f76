import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const alerts: { alert: string; expr: string }[] = parse(read('deploy/monitoring/alerts.yaml')).groups[0].rules;
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read('deploy/monitoring/grafana-dashboard.json'),
);

describe('alerts and dashboard use what a running service reports', () => {
  let app: TestService;
  let metrics: string;

  beforeAll(async () => {
    app = await startTestService();
    const { key } = await createCompany(app);
    await createSent(app, key);
    metrics = await eventually(
      async () => (await fetch(`${app.service.origin}/metrics`)).text(),
      (text) => /^countersign_messages_total\{outcome="accepted"\} [1-9]/m.test(text),
    );
  });
  afterAll(() => app.stop());

  /** `up` is Prometheus's own. A counter with labels has no line before it first counts, but is always announced. */
  const isReported = (metric: string) =>
    metric === 'up' || new RegExp(`^# TYPE ${metric.replace(/_bucket$/, '')} `, 'm').test(metrics);
  const metricsIn = (expression: string) => expression.match(/\b(up|countersign_\w+|nodejs_\w+|process_\w+)\b/g) ?? [];

  test.for(alerts.map(({ alert, expr }) => [alert, expr] as const))('%s', ([, expression]) => {
    expect(metricsIn(expression)).not.toEqual([]);
    for (const metric of metricsIn(expression)) expect(metric).toSatisfy(isReported);
  });

  test.for(dashboard.panels.map(({ title, targets }) => [title, targets] as const))('panel %s', ([, targets]) => {
    for (const { expr } of targets) {
      expect(metricsIn(expr)).not.toEqual([]);
      for (const metric of metricsIn(expr)) expect(metric).toSatisfy(isReported);
    }
  });

  test('the queues, the connections and the build are reported', () => {
    expect(metrics).toMatch(/^countersign_jobs\{queue="seal-document",state="ready"\} 0$/m);
    expect(metrics).toMatch(/^countersign_job_oldest_ready_seconds\{queue="deliver-message"\} 0$/m);
    expect(metrics).toMatch(/^countersign_database_connections\{state="waiting"\} 0$/m);
    expect(metrics).toMatch(/^countersign_signing_certificate_end_timestamp_seconds [1-9]/m);
    expect(metrics).toMatch(/^countersign_build_info\{version="\d+\.\d+\.\d+",commit="[0-9a-f]*"\} 1$/m);
  });
});

test('the documentation says what to do about each alert', () => {
  const page = read('docs/operate/monitor.md');
  for (const { alert } of alerts) expect(page).toContain(`| \`${alert}\` |`);
});

describe.skipIf(!hasTool('promtool'))('Prometheus', () => {
  test('accepts the alerts and its settings', () => {
    execFileSync('promtool', ['check', 'rules', 'deploy/monitoring/alerts.yaml'], { cwd: root });
    execFileSync('promtool', ['check', 'config', 'deploy/monitoring/prometheus.yaml'], { cwd: root });
  });

  test('each alert fires at its fault, and none without one', () => {
    execFileSync('promtool', ['test', 'rules', 'test/deploy/alerts.yaml'], { cwd: root });
  });
});
