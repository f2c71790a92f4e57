import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const loader = fileURLToPath(new URL('../src/ui/lateFiles.ts', import.meta.url));

/**
 * Each `import()` of the build waits for its files by `web/src/ui/lateFiles.ts`, in place of Vite's own helper, which requests them once.
 * In development nothing changes.
 */
export function retryLateFiles(): Plugin {
  return {
    name: 'retry-late-files',
    apply: 'build',
    transform: {
      filter: { id: /\0vite\/preload-helper\.js$/ },
      handler: () => ({
        code: `export { importWithFiles as __vitePreload } from ${JSON.stringify(loader)};`,
        map: null,
      }),
    },
  };
}
