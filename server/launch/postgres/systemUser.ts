import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The system user for PostgreSQL when this process is root, as which PostgreSQL does not start. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

const preferred = ['postgres', '_postgres', 'nobody', 'daemon'];

/** The user to run PostgreSQL as: undefined (ourselves) unless we are root. */
export async function findSystemUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entries = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
    .filter((user) => user.name !== '' && user.uid !== 0);
  const match = preferred.map((name) => entries.find((user) => user.name === name)).find((user) => user !== undefined);
  const user = match ?? entries[0];
  if (user === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root and /etc/passwd names no other user; start as another user or set DATABASE_URL',
    );
  }
  return user;
}

/** Whether `user` can enter `path` and every folder above it. */
export async function canReach(path: string, user: SystemUser): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
