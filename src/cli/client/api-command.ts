import type { Command } from 'commander';
import type { Countersign } from '../../../packages/client/src/index.ts';
import { UsageError } from '../core/arguments.ts';
import { type ConnectionOptions, findConnection, openClient, refusalOf } from './connection.ts';
import type { Profile } from './profiles.ts';

/** Adds the option that every command has that calls the API. */
export function offerProfile(command: Command): Command {
  return command.option('--profile <name>', 'a profile stored by countersign login', profileName);
}

export function profileName(value: string): string {
  if (/^[\w.-]{1,60}$/.test(value) && value !== '__proto__') return value;
  throw new UsageError('--profile must have 1 to 60 letters, digits, dots, hyphens or underscores');
}

/** Calls the API with the stored or configured key. An error of the API or of the network becomes a `Refusal` of one line. */
export async function withClient<Result>(
  options: ConnectionOptions,
  work: (client: Countersign) => Promise<Result>,
): Promise<Result> {
  return withApi(await findConnection(options), work);
}

/** Like `withClient`, for a connection that is known already. */
export async function withApi<Result>(
  connection: Profile,
  work: (client: Countersign) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(openClient(connection));
  } catch (error) {
    throw refusalOf(error, connection);
  }
}
