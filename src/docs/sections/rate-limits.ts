import { type Plan, type PlanTable, tiers } from '../../accounts/plans.ts';
import { answerHeaders, retryAfter } from '../../api/openapi/answer-headers.ts';
import { html } from '../../http/html.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';

export function rateLimits(plans: PlanTable): Section {
  return {
    id: 'rate-limits',
    title: 'Rate limits and plans',
    entries: [{ id: 'plans', title: 'Plans' }],
    body: html`
${paragraphs(
  'Each account has two budgets, set by its plan: requests in the current UTC minute and requests on the current UTC day. All its keys share them. Every answer shows the remaining budget, also errors, once the account is known.',
)}
${table(
  'Headers of every answer',
  ['Header', 'Meaning'],
  [...answerHeaders, retryAfter].map(({ name, meaning }) => [
    code(name),
    prose(name === retryAfter.name ? `On a 429: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}` : meaning),
  ]),
)}
${bullets(
  'When a budget is used up, the answer is rate_limit_exceeded with `Retry-After`. Its message names the budget. Such a request costs nothing.',
  '[Starting an import](#create-import) costs as many requests as it names files, one if its body is refused, and one as a replay.',
  'The minute is the UTC minute, so `X-RateLimit-Reset` is a multiple of 60. The day ends at 00:00 UTC.',
  'Requests are also counted by IP address, before the key is read. More than 3000 a minute answer ip_throttled. The operator of the server can set another number. This limit protects against abuse and is independent of the plan.',
  'A server that has had more requests than it can answer for over a second refuses some with server_busy, before the key is read. Every key keeps its share. Such a request costs nothing.',
)}
<h3 id="plans">Plans</h3>
${paragraphs('The account names its plan in `tier`. A plan without API access answers api_access_required.')}
${table(
  'Plans',
  [
    'Plan',
    'API',
    'Requests a minute',
    'Requests a day',
    'Cloud import',
    'Import files a day',
    'Import storage a month',
    'Self-serve keys, webhooks',
    'Credits a month',
  ],
  tiers.map((tier) => [code(tier), ...planCells(plans[tier])]),
)}
${paragraphs('What counts toward the quotas of imports is said [there](#import-quotas). Unlocking a document costs one credit a page.')}
`,
  };
}

function planCells(plan: Plan): string[] {
  return [
    yesOrNo(plan.api),
    amount(plan.burst_per_minute),
    amount(plan.requests_per_day),
    yesOrNo(plan.cloud_import),
    amount(plan.import_files_per_day),
    storage(plan.import_bytes_per_month),
    yesOrNo(plan.self_serve),
    amount(plan.credits_per_month),
  ];
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function amount(value: number): string {
  return value === 0 ? '–' : numbers.format(value);
}

function storage(bytes: number): string {
  if (bytes === 0) return '–';
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${numbers.format(bytes / 1024 ** power)} ${units[power]}`;
}
