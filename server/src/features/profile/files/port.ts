import type { Readable } from 'node:stream';
import type { Outcome } from '../../../platform/errors.ts';

/**
 * Storage of users' files: a folder of this machine or a bucket. Paths are `{user_id}/{name}`. Every call has a
 * deadline; a failure that the caller cannot avoid throws `storage_unavailable`.
 */
export interface FileStore {
  /** Writes a whole new file, or nothing. Returns `storage_full` when there is no space. */
  write: (path: string, bytes: Buffer) => Promise<Outcome<void>>;
  /** Null when there is no such file. */
  read: (path: string) => Promise<Readable | null>;
  /** A missing file counts as removed. */
  remove: (path: string) => Promise<void>;
  /** Paths of every file in a user's folder, including files without a database row. */
  list: (userId: string) => Promise<string[]>;
  close: () => void;
}
