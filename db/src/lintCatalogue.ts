import type pg from 'pg';

export interface Finding {
  rule: string;
  object: string;
}

/**
 * Looks through the catalogue for ways around row-level security and for missing indexes. Anything in schema `public` counts.
 * No exceptions are listed: a table that needs none of this belongs into another schema.
 */
const rules: Record<string, string> = {
  table_without_forced_rls: `
    select c.oid::regclass::text as object from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)`,
  table_without_policy: `
    select c.oid::regclass::text as object from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_policy p where p.polrelid = c.oid)`,
  policy_open_to_everybody: `
    select p.polrelid::regclass::text || '.' || p.polname as object from pg_policy p
    where pg_get_expr(p.polqual, p.polrelid) = 'true' or pg_get_expr(p.polwithcheck, p.polrelid) = 'true' or p.polroles = '{0}'`,
  // One evaluation per statement instead of one per row (57 ms against 7 ms on 100,000 rows).
  policy_setting_evaluated_per_row: `
    select p.polrelid::regclass::text || '.' || p.polname as object from pg_policy p
    where pg_get_expr(p.polqual, p.polrelid) ~ 'current_setting' and pg_get_expr(p.polqual, p.polrelid) !~* 'select \\(*nullif\\(current_setting'`,
  view_with_the_rights_of_its_owner: `
    select c.oid::regclass::text as object from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and not coalesce(c.reloptions @> '{security_invoker=true}', false)`,
  materialised_view: `
    select c.oid::regclass::text as object from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'm'`,
  security_definer_function: `
    select p.oid::regprocedure::text as object from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`,
  function_without_search_path: `
    select p.oid::regprocedure::text as object from pg_proc p
    where p.pronamespace = 'public'::regnamespace and not coalesce(p.proconfig::text ~ 'search_path', false)`,
  foreign_key_without_index: `
    select k.conrelid::regclass::text || '.' || k.conname as object from pg_constraint k
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and not exists (
      select from pg_index i where i.indrelid = k.conrelid and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] = k.conkey)`,
  // With created_at a list of one's own rows is read in order from the index.
  user_rows_without_time_index: `
    select c.oid::regclass::text as object from pg_class c
    join pg_attribute u on u.attrelid = c.oid and u.attname = 'user_id'
    join pg_attribute t on t.attrelid = c.oid and t.attname = 'created_at'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
      select from pg_index i where i.indrelid = c.oid and (
        (i.indkey::int2[])[0:1] = array[u.attnum, t.attnum]::int2[] or (i.indisprimary and i.indkey::text = u.attnum::text)))`,
  // A table that only the service writes may retain rows without a user_id after the account is deleted: docs/adr/0009.
  user_id_not_required: `
    select c.oid::regclass::text as object from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attnotnull and not exists (
      select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] and k.confdeltype = 'n'
        and not has_any_column_privilege('app_user', c.oid, 'insert, update'))`,
  // A unique key without user_id reveals to a user what another user has stored. Random ids and tables of the service are exempt.
  unique_key_across_users: `
    select i.indexrelid::regclass::text as object from pg_index i join pg_attribute u on u.attrelid = i.indrelid and u.attname = 'user_id'
    where i.indisunique and has_table_privilege('app_user', i.indrelid, 'insert') and not u.attnum = any (i.indkey::int2[]) and not exists (
      select from pg_attribute a where a.attrelid = i.indrelid and i.indkey::text = a.attnum::text and a.attname = 'id')`,
  truncate_ignores_policies: `
    select c.oid::regclass::text || ' to ' || r as object from pg_class c, unnest(array['app_user', 'app_system', 'public']) r
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(r, c.oid, 'truncate, references, trigger')`,
  login_sees_rows_by_itself: `
    select c.oid::regclass::text as object from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and exists (
      select from aclexplode(c.relacl) a where a.grantee in (0, 'sextant_server'::regrole))`,
  role_with_too_much_power: `
    select r.rolname as object from pg_roles r where r.rolname in ('app_user', 'app_system', 'sextant_server')
      and (r.rolsuper or r.rolbypassrls or r.rolinherit or r.rolcreaterole or r.rolcreatedb or r.rolreplication
        or r.rolcanlogin <> (r.rolname = 'sextant_server'))`,
  table_owned_by_an_app_role: `
    select c.oid::regclass::text as object from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relowner in (select oid from pg_roles where rolname ~ '^(app_|sextant_server)')`,
};

/** Every finding of every rule; empty when the catalogue is in order. */
export async function lintCatalogue(owner: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await owner.query<{ object: string }>(query);
    findings.push(...rows.map(({ object }) => ({ rule, object })));
  }
  return findings;
}
