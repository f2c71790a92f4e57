import { openDatabase } from '../../../../src/platform/db/database.ts';
import { createDiskStore } from '../../../../src/adapters/storage/createFileStore.ts';
import { sweepDeletions } from '../../../../src/features/account/deletion.ts';

/**
 * Starts erasing accounts and hangs after removing one file, so that a test can kill the process there.
 * `node eraseAndHang.ts DATABASE_URL FILES_DIR`
 */
const [url = '', root = ''] = process.argv.slice(2);
const store = createDiskStore(root);
const hanging = {
  ...store,
  remove: async (path: string) => {
    await store.remove(path);
    process.stdout.write('removed one\n');
    // A timer keeps the process alive until it is killed.
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  },
};
const { db } = openDatabase({ url, onError: () => undefined });
await sweepDeletions({ db, files: hanging, graceDays: 7, forgetSessions: () => undefined });
