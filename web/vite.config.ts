import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkOf } from './bundle/chunks.ts';
import { directIcons } from './bundle/icons.ts';
import { retryLateFiles } from './bundle/lateFiles.ts';
import { serviceWorker } from './bundle/serviceWorker.ts';
import { prerenderPages } from './prerender/plugin.ts';

/** `vite` serves the pages with HMR and hands API calls to the server that `npm run dev` started beside it. */
const apiServer = process.env.API_URL ?? 'http://localhost:3000';

/** The build of this package for browsers decodes entities by innerHTML, which Trusted Types block: a text with `&lt;` was a failed view. */
const entities = {
  find: /^decode-named-character-reference$/,
  replacement: fileURLToPath(new URL('../node_modules/decode-named-character-reference/index.js', import.meta.url)),
};

export default defineConfig({
  resolve: { alias: [entities] },
  root: import.meta.dirname,
  plugins: [directIcons(), retryLateFiles(), react(), tailwindcss(), prerenderPages(), serviceWorker()],
  server: { proxy: { '/api': apiServer } },
  worker: { format: 'es' },
  build: {
    target: 'es2024',
    // The content security policy allows no data: script, worker or font, so nothing is inlined.
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      output: {
        // React and the query cache change rarely: their own file stays cached over releases.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              // What no public page calls goes with the pages that call it.
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-query|query-core))\/(?!.*(useMutation|mutationObserver|useQueries|queriesObserver))/,
              priority: 2,
            },
            {
              debugName: 'shared',
              name: (id, context) => chunkOf(id, (each) => context.getModuleInfo(each)),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
