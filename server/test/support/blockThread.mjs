import { isMainThread } from 'node:worker_threads';

// Loaded with --import into a node under test: SIGUSR2 blocks the thread that serves requests, as a slow request might.
const blockMs = Number(process.env.TEST_BLOCK_MS);
if (isMainThread && blockMs > 0) {
  process.on('SIGUSR2', () => {
    const endMs = performance.now() + blockMs;
    while (performance.now() < endMs);
  });
}
