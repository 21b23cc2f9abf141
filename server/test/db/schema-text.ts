import type pg from 'pg';

/** Everything that the migrations define, a line each, without the order of columns. */
export async function schemaText(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    with tables as (
      select oid, relname, reloptions from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    )
    select concat_ws(' ', 'table', relname, reloptions::text) as line from tables
    union all
    select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      attgenerated, pg_get_expr(adbin, adrelid), nullif(attstattarget, -1), attcollation::regcollation)
    from tables
    join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from tables join pg_constraint on conrelid = tables.oid
    union all
    select pg_get_indexdef(indexrelid) from tables join pg_index on indrelid = tables.oid
    union all
    select concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
    from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
    union all
    select pg_get_functiondef(pg_proc.oid) from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by line`);
  return rows.map(({ line }) => line);
}
