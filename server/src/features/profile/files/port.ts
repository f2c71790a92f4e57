import type { Readable } from 'node:stream';
import type { Outcome } from '../../../platform/errors.ts';

/**
 * Where the bytes of people's files are: a folder of this machine or a bucket. Paths are `{user_id}/{name}`. Every call has a
 * deadline; one that fails in a way the caller cannot help throws `storage_unavailable`.
 */
export interface FileStore {
  /** Writes a whole file that does not exist yet, or nothing at all. Refuses with `storage_full` when there is no room. */
  write: (path: string, bytes: Buffer) => Promise<Outcome<void>>;
  /** Null when there is no such file. */
  read: (path: string) => Promise<Readable | null>;
  /** A file that is not there counts as removed. */
  remove: (path: string) => Promise<void>;
  /** Paths of every file in a user's folder, including files without a database row. */
  list: (userId: string) => Promise<string[]>;
  close: () => void;
}
