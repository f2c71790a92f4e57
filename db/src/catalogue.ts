import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Facts of each table, function, type and schema by its name, sorted: what it is made of and which roles may use it. */
type Catalogue = Record<string, string[]>;

/** Tables that belong to the product: no partition, whose names are days, and nothing of an extension. */
const tables = `
  select c.oid, c.relname as name, c.relkind, c.relacl, c.relowner from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const functions = `
  select p.*, p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('public', 'api_log', 'scan_log')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

/** Grants to the product's own roles and to everyone. Grants of an operator to other roles are the operator's. */
const grants = (acl: string, owner: string): string => `
  lateral aclexplode(${acl}) a left join pg_roles g on g.oid = a.grantee
  where a.grantee <> ${owner} and (a.grantee = 0 or g.rolname in ('app_user', 'app_system', 'sextant_server'))`;
const grantText = `'grant ' || lower(a.privilege_type collate "C") || ' to ' || coalesce(g.rolname, 'public')`;

/** Each query returns rows of `object` and `fact`. */
const queries = [
  `select t.name as object, concat_ws(' ', 'table', c.relkind, c.relpersistence,
      case when c.relrowsecurity then 'rls' end, case when c.relforcerowsecurity then 'forced' end,
      c.reloptions::text, pg_get_partkeydef(c.oid), case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end) as fact
    from (${tables}) t join pg_class c on c.oid = t.oid`,
  `select t.name as object, concat_ws(' ', 'column', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, 'storage ' || a.attstorage::text, 'identity ' || nullif(a.attidentity::text, ''),
      'generated ' || nullif(a.attgenerated::text, ''), 'default ' || pg_get_expr(d.adbin, d.adrelid), col_description(t.oid, a.attnum)) as fact
    from (${tables}) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum`,
  // PostgreSQL 18 lists "not null" as a constraint too; the columns say it for every version.
  `select t.name as object, concat_ws(' ', 'constraint', k.conname, pg_get_constraintdef(k.oid)) as fact
    from (${tables}) t join pg_constraint k on k.conrelid = t.oid and k.contype <> 'n'`,
  `select t.name as object, 'index ' || pg_get_indexdef(i.indexrelid) as fact from (${tables}) t join pg_index i on i.indrelid = t.oid`,
  `select t.name as object, concat_ws(' ', 'trigger', g.tgenabled, pg_get_triggerdef(g.oid)) as fact
    from (${tables}) t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal`,
  `select t.name as object, concat_ws(' ', 'policy', p.polname, p.polcmd, p.polpermissive,
      (select string_agg(case when r = 0 then 'public' else r::regrole::text end, ',' order by r::regrole::text) from unnest(p.polroles) r),
      pg_get_expr(p.polqual, p.polrelid), 'check ' || pg_get_expr(p.polwithcheck, p.polrelid)) as fact
    from (${tables}) t join pg_policy p on p.polrelid = t.oid`,
  `select t.name as object, ${grantText} as fact from (${tables}) t, ${grants('t.relacl', 't.relowner')}`,
  `select t.name as object, concat_ws(' ', 'column', c.attname, ${grantText}) as fact
    from (${tables}) t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped, ${grants('c.attacl', 't.relowner')}`,
  // Comments and indentation of a body may differ.
  `select f.name as object, concat_ws(' ', 'function', l.lanname, f.prorettype::regtype, f.prokind, f.provolatile, f.prosecdef, f.proisstrict,
      f.proretset, f.proleakproof, f.proparallel, f.proconfig::text, pg_get_function_arguments(f.oid),
      regexp_replace(regexp_replace(f.prosrc, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g')) as fact
    from (${functions}) f join pg_language l on l.oid = f.prolang`,
  `select f.name as object, ${grantText} as fact from (${functions}) f, ${grants(`coalesce(f.proacl, acldefault('f', f.proowner))`, 'f.proowner')}`,
  `select t.oid::regtype::text as object, concat_ws(' ', 'domain', format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault) as fact
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'd'`,
  `select k.contypid::regtype::text as object, concat_ws(' ', 'constraint', k.conname, pg_get_constraintdef(k.oid)) as fact
    from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contypid <> 0 and k.contype <> 'n'`,
  `select 'schema ' || n.nspname as object, ${grantText} as fact from pg_namespace n,
    ${grants(`coalesce(n.nspacl, acldefault('n', n.nspowner))`, 'n.nspowner')} and n.nspname in ('public', 'api_log', 'scan_log')`,
  `select c.relname as object, ${grantText} as fact from pg_class c,
    ${grants('c.relacl', 'c.relowner')} and c.relkind = 'S' and c.relnamespace = 'public'::regnamespace`,
  // A grant that applies to every later table.
  `select 'default privileges' as object, concat_ws(' ', d.defaclnamespace::regnamespace, d.defaclobjtype, ${grantText}) as fact
    from pg_default_acl d, ${grants('d.defaclacl', 'd.defaclrole')}`,
];

/** Settings of a session that change how PostgreSQL writes an expression, each with the value that the facts are written in. */
const writtenWith = {
  // Names of this schema are written without it.
  search_path: 'public',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
};

async function applySettings(client: pg.ClientBase, settings: Record<string, string>): Promise<void> {
  await client.query('select set_config(name, value, false) from jsonb_each_text($1::jsonb) as s (name, value)', [
    JSON.stringify(settings),
  ]);
}

/**
 * Describes the product's part of the database in facts whose order and wording do not depend on how it came about: created at once or
 * altered many times, nor on the settings of the session. Leaves out the schemas of the job queue and of migrations, partitions,
 * extensions and row data.
 */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const catalogue: Catalogue = {};
  const { rows: before } = await client.query<{ settings: Record<string, string> }>(
    'select jsonb_object_agg(name, current_setting(name)) as settings from unnest($1::text[]) name',
    [Object.keys(writtenWith)],
  );
  await applySettings(client, writtenWith);
  for (const query of queries) {
    const { rows } = await client.query<{ object: string; fact: string }>(query);
    for (const { object, fact } of rows) (catalogue[object] ??= []).push(fact);
  }
  await applySettings(client, before[0]?.settings ?? {});
  for (const facts of Object.values(catalogue)) facts.sort();
  return catalogue;
}

/** Eight bytes of SHA-256 over the facts of each object, as hex: enough to name the object that differs. */
export function hashCatalogue(catalogue: Catalogue): Record<string, string> {
  const names = Object.keys(catalogue).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256').update(JSON.stringify(catalogue[name])).digest('hex').slice(0, 16),
    ]),
  );
}
