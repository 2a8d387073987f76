import type { Tier } from '../../../src/accounts/plans.ts';
import { usageText } from '../settings/usage-texts.ts';

/** All plans, the smallest first. */
export const tiers = Object.keys(usageText.tiers) as Tier[];
