/** A migration that was edited before 0.1.0 after it had been applied, and the SQL that repairs such a database. */
export interface KnownEdit {
  name: string;
  /** SHA-256 of the applied file, in hex. */
  sha256: string;
  /** SQL that turns the result of the older file into that of the current one. */
  repair: string;
  /** Table whose rows the repair deletes, because they don't fit its current form. */
  emptied?: string;
}

/**
 * Migrations are append-only since 0.1.0-9c8f54c. Five earlier commits edited applied ones, and `migrate` repairs
 * installations of that time. Don't add to this list: write a new migration.
 */
export const knownEdits: readonly KnownEdit[] = [
  {
    name: '0001_foundation.sql',
    sha256: '8e3523ebf3b7ed7ab9c9c15642a3cef453b9c5e73b54f95978c1340d1d1da946',
    repair: `alter table accounts drop constraint accounts_credits_check,
      add constraint accounts_credits_check check (credits between 0 and 9007199254740991)`,
  },
  {
    name: '0003_redeliveries.sql',
    sha256: '849d61049de578975c551669cb1cb16638fb64645bf02885ce8d600729e15388',
    repair: `create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, id)
      where status = 'dead' and redelivery_of is null`,
  },
  ...[
    '12b0802430dfb7a4eea8ef6d6d7273a7e6a98a79f5725d9bb4b43a5ab93b3216',
    '11f0a1fcf970f3947a2a8fb4f04b7351e8c205ee4ac31a8a7ae5b8378d32a797',
  ].map((sha256) => ({
    name: '0013_usage.sql',
    sha256,
    // The table holds the API requests of the last seven days. Older rows are not converted, so the page starts empty.
    emptied: 'request_log',
    repair: `drop table request_log;
        create table request_log (
          account_id uuid not null references accounts,
          id uuid not null,
          requests integer not null check (requests > 0),
          begun_ms bigint not null,
          keys uuid[] not null,
          lines text not null,
          primary key (account_id, id)
        );
        alter table request_log alter column lines set storage external`,
  })),
  {
    name: '0020_import_outcomes.sql',
    sha256: 'c42d53ea9697ee43cea219df5c1f0f107b506dfd9910960fc9b5195366819bb6',
    repair: 'drop index import_items_filed',
  },
];

/** A file that was renumbered before 0.1.0 with the same contents. */
export const renumbered = { from: 10, to: 14, name: '0014_esign_connections.sql' } as const;
