import { Type } from 'typebox';
import { type Tier, tiers } from '../../accounts/plans.ts';
import { Refusal } from '../../errors.ts';
import { queueNames } from '../../jobs/queues.ts';
import type { Job } from '../../messages/job-queue.ts';
import { changePlan, grantCredits } from '../../operators/change-company.ts';
import { type Company, findCompany, listCompanies } from '../../operators/companies.ts';
import { describeFailed } from '../../operators/failed-jobs.ts';
import { listOperatorLog } from '../../operators/operator-log.ts';
import { retryJob, retryQueue } from '../../operators/retry-jobs.ts';
import { readDatabaseFacts } from '../../operators/service-facts.ts';
import { listCompanyStorage, readDatabaseBytes, readDisk, readStorageTotals } from '../../operators/storage.ts';
import { readStuckWork } from '../../operators/stuck-work.ts';
import { isUuid } from '../../platform/ids.ts';
import type { World } from '../../platform/world.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readSpendable } from '../../usage/credits.ts';
import { type ConsoleDeps, forOperators, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { openList, readListPage } from '../core/open-list.ts';
import { readChoice, readSearch } from '../core/read-filter.ts';
import { readAccountUsage } from '../settings/usage-endpoints.ts';

const creditsMax = 1_000_000_000;
const tier = Type.Enum([...tiers]);
const queue = Type.Enum(queueNames());
const uuid = Type.String({ pattern: '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' });
const needsFreshSignIn = true;

/** The operator's page. It shows counts of companies, and nothing of what their documents and messages say. */
export const operatorEndpoints = [
  forOperators('GET /operator/companies', {}, listPage),
  forOperators('GET /operator/companies/:id', {}, showCompany),
  forOperators('POST /operator/companies/:id/plan', { body: Type.Object({ tier }), needsFreshSignIn }, setPlan),
  forOperators(
    'POST /operator/companies/:id/credits',
    {
      body: Type.Object({ amount: Type.Integer({ minimum: 1, maximum: creditsMax }), request_id: uuid }),
      needsFreshSignIn,
    },
    addCredits,
  ),
  forOperators('GET /operator/plans', {}, async ({ plans, service }) => {
    return { plans, has_plans_file: service.has_plans_file };
  }),
  forOperators('GET /operator/queues', {}, async ({ db, queue }) => {
    const [queues, stuck] = await Promise.all([queue.overview(), readStuckWork(db)]);
    return { queues, ...stuck };
  }),
  forOperators('GET /operator/jobs', {}, listJobs),
  forOperators('POST /operator/jobs/retry', { body: Type.Object({ id: uuid }) }, retryOne),
  forOperators('POST /operator/jobs/retry-all', { body: Type.Object({ queue }) }, retryAll),
  forOperators('GET /operator/storage', {}, showStorage),
  forOperators('GET /operator/storage/companies', {}, async (deps, call) =>
    readListPage(
      deps,
      call,
      'operator storage',
      ({ afterId, limit }) => listCompanyStorage(deps.db, afterId, limit),
      same,
    ),
  ),
  forOperators('GET /operator/service', {}, async ({ db, service }) => {
    const { build, warnings } = service;
    return { ...build, node: process.version, warnings, database: await readDatabaseFacts(db) };
  }),
  forOperators('GET /operator/log', {}, async (deps, call) =>
    readListPage(deps, call, 'operator log', ({ afterId, limit }) => listOperatorLog(deps.db, afterId, limit), same),
  ),
];

const same = <Row>(row: Row): Row => row;

async function listPage(deps: ConsoleDeps, call: MemberCall) {
  const filter = { search: readSearch(call.query), tier: readChoice(call.query, 'plan', tiers) };
  const { limit, afterId, answer } = openList(deps, call, 'operator companies');
  const rows = await listCompanies(deps.db, deps.world.clock.now(), filter, { afterId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const data = await withCredits(deps, page);
  return answer(data, rows.length > limit ? (page.at(-1)?.id ?? null) : null);
}

async function withCredits({ world, db, plans }: ConsoleDeps, companies: readonly Company[]) {
  const ids = companies.map(({ id }) => id);
  const spendable = await readSpendable(world, db, plans, ids);
  return companies.map((company) => ({ ...company, credits: spendable.get(company.id) ?? 0 }));
}

async function showCompany(deps: ConsoleDeps, { params: { id = '' } }: MemberCall) {
  const company = await companyOf(deps.world, deps.db, id);
  const [shown] = await withCredits(deps, [company]);
  return { ...company, credits: shown?.credits ?? 0, usage: await readAccountUsage(deps, id) };
}

async function companyOf(world: World, db: Queryable, id: string): Promise<Company> {
  const company = isUuid(id) ? await findCompany(db, world.clock.now(), id) : null;
  if (company === null) throw new ConsoleError('not_found');
  return company;
}

async function setPlan({ world, db }: ConsoleDeps, { caller, params: { id = '' }, body }: MemberCall<{ tier: Tier }>) {
  return db.transaction(async (tx) => {
    await assertInUse(world, tx, id);
    const changed = await changePlan(world, tx, id, body.tier, { personId: caller.person.id });
    return { id, tier: changed?.tier ?? body.tier };
  });
}

async function addCredits(
  { world, db }: ConsoleDeps,
  { caller, params: { id = '' }, body }: MemberCall<{ amount: number; request_id: string }>,
) {
  const by = { personId: caller.person.id, requestId: body.request_id };
  return db.transaction(async (tx) => {
    await assertInUse(world, tx, id);
    const changed = await grantCredits(world, tx, id, body.amount, by).catch((error) => {
      throw error instanceof Refusal ? new ConsoleError('invalid_input', { param: 'amount', cause: error }) : error;
    });
    return { id, balance: changed?.credits ?? 0 };
  });
}

/** Throws `not_found` for a company that was removed. */
async function assertInUse(world: World, db: Queryable, id: string): Promise<void> {
  if ((await companyOf(world, db, id)).removed_at !== null) throw new ConsoleError('not_found');
}

async function listJobs(deps: ConsoleDeps, call: MemberCall) {
  const name = readChoice(call.query, 'queue', queueNames());
  const { limit, afterId, answer } = openList(deps, call, 'operator jobs');
  const jobs = await deps.queue.failed({ queue: name, afterId, limit: limit + 1 });
  if (jobs === null) throw new ConsoleError('changed_meanwhile');
  const page = jobs.slice(0, limit);
  return answer(await describeFailed(deps.db, page), jobs.length > limit ? (page.at(-1)?.id ?? null) : null);
}

/** `retried` is false if someone else was faster. */
async function retryOne({ world, db, queue }: ConsoleDeps, { caller, body }: MemberCall<{ id: string }>) {
  const job = await queue.findFailed(body.id);
  if (job === null) return { retried: false };
  return { retried: await retryJob(world, db, queue, job, { personId: caller.person.id }) };
}

async function retryAll({ world, db, queue }: ConsoleDeps, { caller, body }: MemberCall<{ queue: Job['name'] }>) {
  return retryQueue(world, db, queue, body.queue, { personId: caller.person.id });
}

async function showStorage({ db, service }: ConsoleDeps) {
  const { files_directory: directory } = service;
  const [totals, databaseBytes, disk] = await Promise.all([
    readStorageTotals(db),
    readDatabaseBytes(db),
    directory === null ? null : readDisk(directory),
  ]);
  return { store: directory === null ? 's3' : 'directory', totals, database_bytes: databaseBytes, disk } as const;
}
