import { readFileSync } from 'node:fs';
import { OperatorError } from '../errors.ts';

/** The limits of a plan. Names end in their unit. */
export interface Plan {
  api: boolean;
  burst_per_minute: number;
  requests_per_day: number;
  cloud_import: boolean;
  import_files_per_day: number;
  import_bytes_per_month: number;
  self_serve: boolean;
  credits_per_month: number;
}

export const tiers = ['free', 'starter', 'pro', 'team', 'enterprise'] as const;

export type Tier = (typeof tiers)[number];

export type PlanTable = Record<Tier, Plan>;

const GiB = 1024 ** 3;

/* biome-ignore format: a table reads as a table */
export const defaultPlans: PlanTable = {
  free:       { api: false, burst_per_minute: 0,    requests_per_day: 0,         cloud_import: false, import_files_per_day: 0,      import_bytes_per_month: 0,         self_serve: false, credits_per_month: 0 },
  starter:    { api: true,  burst_per_minute: 60,   requests_per_day: 5000,      cloud_import: false, import_files_per_day: 0,      import_bytes_per_month: 0,         self_serve: false, credits_per_month: 0 },
  pro:        { api: true,  burst_per_minute: 120,  requests_per_day: 20_000,    cloud_import: true,  import_files_per_day: 200,    import_bytes_per_month: 5 * GiB,   self_serve: false, credits_per_month: 200 },
  team:       { api: true,  burst_per_minute: 300,  requests_per_day: 100_000,   cloud_import: true,  import_files_per_day: 1000,   import_bytes_per_month: 50 * GiB,  self_serve: true,  credits_per_month: 1000 },
  enterprise: { api: true,  burst_per_minute: 1200, requests_per_day: 1_000_000, cloud_import: true,  import_files_per_day: 10_000, import_bytes_per_month: 500 * GiB, self_serve: true,  credits_per_month: 10_000 },
};

export function isTier(value: string): value is Tier {
  return (tiers as readonly string[]).includes(value);
}

/** The default table with what `PLANS_FILE` overrides. Throws an `OperatorError` naming the tier and field at fault. */
export function readPlanTable(file: string | null): PlanTable {
  if (file === null) return defaultPlans;
  const overrides = parsePlansFile(file);
  const table = structuredClone(defaultPlans);
  for (const [tier, fields] of Object.entries(overrides)) {
    if (!isTier(tier)) throw badPlan(file, `"${tier}" is not a tier (${tiers.join(', ')})`);
    if (!isObject(fields)) throw badPlan(file, `"${tier}" must be an object`);
    Object.assign(table[tier], checkedFields(file, tier, fields));
  }
  return table;
}

function parsePlansFile(file: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw badPlan(file, (cause as Error).message);
  }
  if (!isObject(parsed)) throw badPlan(file, 'it must hold a JSON object');
  return parsed;
}

function checkedFields(file: string, tier: Tier, fields: Record<string, unknown>): Partial<Plan> {
  for (const [name, value] of Object.entries(fields)) {
    const known = (defaultPlans[tier] as unknown as Record<string, unknown>)[name];
    if (known === undefined) throw badPlan(file, `"${tier}.${name}" is not a field of a plan`);
    if (typeof value !== typeof known) throw badPlan(file, `"${tier}.${name}" must be a ${typeof known}`);
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) {
      throw badPlan(file, `"${tier}.${name}" must be a whole number, zero or more`);
    }
    const int4Max = 2_147_483_647;
    if ((name === 'burst_per_minute' || name === 'requests_per_day') && (value as number) > int4Max) {
      throw badPlan(file, `"${tier}.${name}" must be at most ${int4Max}`);
    }
  }
  return fields as Partial<Plan>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badPlan(file: string, reason: string): OperatorError {
  return new OperatorError(`bad setting PLANS_FILE: ${file}: ${reason}`);
}
