import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseSetupError } from './databaseSetupError.ts';

/** The server's login. It owns nothing, inherits nothing and by itself sees nothing; it may only become one of the app roles. */
export const serverRole = 'sextant_server';
export const appRoles = ['app_user', 'app_system'] as const;
export type AppRole = (typeof appRoles)[number];

/** Password of the server's login, the same on every node that shares the secret, so no node locks another one out. */
export const serverPassword = (secret: string): string =>
  createHmac('sha256', secret).update('sextant database login').digest('base64url');

/** The URL the server logs in with, made from the owner's. */
export function serverUrl(ownerUrl: string, secret: string): string {
  const url = new URL(ownerUrl);
  url.username = serverRole;
  url.password = serverPassword(secret);
  return url.href;
}

/** The line of PgBouncer's `auth_file` for the server's login. */
export const userlistLine = (secret: string): string => `"${serverRole}" "${serverPassword(secret)}"`;

/**
 * The URL a node logs in with: the setting names the database, the login follows from the secret.
 * @throws DatabaseSetupError when the setting names another user: a node never has the rights of an owner
 */
export function nodeUrl(setting: string, url: string, secret: string): string {
  const { username } = new URL(url);
  if (username === '' || username === serverRole) return serverUrl(url, secret);
  throw new DatabaseSetupError(
    `${setting}: leave user and password out, nodes log in as ${serverRole}; ` +
      'set the owner in DATABASE_OWNER_URL for npm run migrate',
  );
}

/** Creates the roles that are missing. Two databases of one cluster may do this at the same moment. */
export async function ensureRoles(owner: pg.Client, secret: string): Promise<void> {
  const password = pg.escapeLiteral(serverPassword(secret));
  const roles = [
    ...appRoles.map((role) => `create role ${role} nologin noinherit`),
    `create role ${serverRole} login noinherit password ${password}`,
  ];
  for (const create of roles) {
    // unique_violation: another session created it between the check and our insert into the catalogue.
    await owner.query(`do $do$ begin ${create};
      exception when duplicate_object or unique_violation then null; end $do$`);
  }
  const { rows } = await owner.query<{ role: string }>(
    `select role from unnest($1::text[]) as role
     where not exists (select from pg_auth_members m where m.roleid = to_regrole(role) and m.member = to_regrole($2))`,
    [appRoles, serverRole],
  );
  for (const { role } of rows) await owner.query(`grant ${role} to ${serverRole}`);
}

/** Connections of running servers, to any database of the cluster: the login is shared by all of them. */
export async function countServerSessions(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where usename = $1',
    [serverRole],
  );
  return rows[0]?.count ?? 0;
}

/** Name of the session in which a node checks the schema at its start. */
export const checkName = 'sextant check';

/**
 * Connections of nodes that serve this database. A node names each of them and is never without one; the check at its start has its own,
 * so nodes of the new version may start meanwhile.
 */
export async function countNodeSessions(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where usename = $1 and datname = current_database() and application_name not in ('', $2)`,
    [serverRole, checkName],
  );
  return rows[0]?.count ?? 0;
}

const sessionPauseMs = 200;

/**
 * Sessions of servers that have just been stopped take a moment to go.
 * @returns true once there are none, false when some are left after `waitMs`
 */
export async function waitForNoSessions(count: () => Promise<number>, waitMs = 2000): Promise<boolean> {
  for (let waitedMs = 0; (await count()) > 0; waitedMs += sessionPauseMs) {
    if (waitedMs >= waitMs) return false;
    await pause(sessionPauseMs);
  }
  return true;
}

/** Sets the login's password again when the secret was changed. */
export async function setServerPassword(owner: pg.Client, secret: string): Promise<void> {
  await owner.query(`alter role ${serverRole} with login password ${pg.escapeLiteral(serverPassword(secret))}`);
}
