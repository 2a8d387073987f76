import type pg from 'pg';

export interface Table {
  name: string;
  /** Quoted where they must be. */
  columns: string[];
}

/** The service's tables without the record of its migrations, each after those it refers to. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(
    `select c.relname as name,
       array(
         select quote_ident(attname) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
       )::text[] as columns,
       array(
         select distinct target.relname from pg_constraint k join pg_class target on target.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
       )::text[] as refers_to
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
     order by c.relname`,
  );
  const ordered: Table[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const ready = rows.filter(({ name, refers_to }) => !placed.has(name) && refers_to.every((to) => placed.has(to)));
    if (ready.length === 0) throw new Error('tables refer to each other in a circle: no order restores them');
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      placed.add(name);
    }
  }
  return ordered;
}
