import pg from 'pg';

/** Opens a connection of its own, such as one that holds a lock. `await using` closes it. */
export async function ownConnection(databaseUrl: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
