import { OperatorError } from '../errors.ts';

/**
 * Reads names of tables and views that aren't of this service, from the schema that migrations fill. A database with its
 * `schema_migrations` has none. Those of extensions don't count.
 */
export const readForeignTables = {
  name: 'foreign_tables',
  text: `select c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e'
      )
      and not exists (
        select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'sha256'
      )
    order by c.relname limit 3`,
  values: [],
};

/** Throws an `OperatorError` for a database of another application. */
export function assertOnlyOurs(foreign: ReadonlyArray<{ name: string }>): void {
  if (foreign.length === 0) return;
  const names = foreign.map(({ name }) => name).join(', ');
  throw new OperatorError(
    `the database belongs to another application (it has ${names}): create an empty one for Countersign, and set DATABASE_URL`,
  );
}
