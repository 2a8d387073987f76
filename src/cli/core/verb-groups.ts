import type { Command } from 'commander';

/** Verbs of a noun that are defined together, in this order. */
export interface VerbGroup {
  verbs: readonly string[];
  /** Loads their code, which takes most of the time of a quick command. */
  load(): Promise<(noun: Command) => void>;
}

/** Defines the group of a verb. Without a verb, or with an unknown one, it defines all groups, for the help of the noun. */
export async function defineVerbs(
  noun: Command,
  verb: string | undefined,
  groups: readonly VerbGroup[],
): Promise<void> {
  const wanted = groups.filter(({ verbs }) => verb !== undefined && verbs.includes(verb));
  for (const { load } of wanted.length > 0 ? wanted : groups) (await load())(noun);
}
