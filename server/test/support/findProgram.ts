import { execFileSync } from 'node:child_process';

/**
 * A program of Debian's packages that a test runs: on the path, where Debian has those of an administrator or at `first`, which is tried before
 * them. Undefined where none of them runs.
 * @param flag prints its version
 */
export const findProgram = (name: string, flag: string, first?: string): string | undefined =>
  [first, name, `/usr/sbin/${name}`].find((path): path is string => {
    if (path === undefined) return false;
    try {
      execFileSync(path, [flag], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
