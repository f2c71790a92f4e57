/** Who may import whom. Each rule says why, because the message is what a contributor reads. */
const error = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });
const platformFree = { path: '^workers/src/', pathNot: '^workers/src/(node|browser)/' };

export default {
  forbidden: [
    error(
      'no-cycles',
      'A cycle cannot be read top down.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    error('no-unresolvable', 'An import that does not resolve fails at run time.', {}, { couldNotResolve: true }),
    error(
      'web-knows-only-the-contract',
      'web talks to server over HTTP; it may use workers for the local engine and the registries of the engine.',
      { path: '^web/src/' },
      { path: ['^server/', '^db/', '^engine-as/(?!abi/)', '^workers/src/node/'] },
    ),
    error('tasks-no-hosts', 'A task runs in Node and in the browser.', platformFree, {
      path: '^workers/src/(node|browser)/',
    }),
    error('tasks-no-node', 'A task runs in Node and in the browser.', platformFree, { dependencyTypes: ['core'] }),
    error(
      'workers-know-only-the-abi',
      'workers know the engine by its ABI and its wasm file.',
      { path: '^workers/src/' },
      {
        path: ['^engine-as/(?!abi/)', '^server/', '^web/', '^db/', '^bench/'],
      },
    ),
    error(
      'engine-stands-alone',
      'Kernels know only the ABI.',
      { path: '^engine-as/(assembly|abi)/' },
      {
        path: ['^(server|web|db|workers|bench)/'],
      },
    ),
    error(
      'client-stands-alone',
      'The client is installed without the product: it knows the API by generated files only.',
      { path: '^server/client/src/' },
      { path: '^(server/(?!client/)|web|db|workers|engine-as|bench)/' },
    ),
    error(
      'no-fakes-in-production',
      'Fakes are started by the launcher and by tests only.',
      { path: '^server/src/' },
      {
        path: ['^server/fakes/', '^server/launch/'],
      },
    ),
    error(
      'nobody-imports-bench',
      'bench only measures; no other code imports it.',
      { pathNot: '^bench/' },
      { path: '^bench/' },
    ),
    error(
      'features-read-the-config',
      'The configuration and the platform know no feature: features read them.',
      { path: '^server/src/(config\\.ts|platform/)' },
      { path: '^server/src/features/' },
    ),
    error(
      'web-features-meet-in-the-app',
      'app/ composes features. What several of them show is in shared/, which knows none of them.',
      { path: '^web/src/features/([^/]+)/' },
      { path: '^web/src/features/', pathNot: '^web/src/features/($1|shared)/' },
    ),
    error(
      'web-shared-knows-no-feature',
      'What all features build on knows none of them.',
      { path: '^web/src/(ui|charts|api|data|state|format|engine)/' },
      { path: '^web/src/(features|app)/' },
    ),
    error(
      'another-features-repository',
      "A feature uses another feature's use case, never its repository.",
      { path: '^server/src/features/([^/]+)/' },
      { path: '^server/src/features/.*[rR]epository', pathNot: '^server/src/features/$1/' },
    ),
    error(
      'contracts-stay-pure',
      'A contract knows zod and other contracts: no framework, no database.',
      { path: '^server/src/features/.*/(contract|\\w+Contract)\\.ts$' },
      { path: ['node_modules/(fastify|kysely|pg)/', '^server/src/platform/db/'], dependencyTypesNot: ['type-only'] },
    ),
    error(
      'adapters-know-ports',
      'An adapter knows the platform and the port it serves.',
      { path: '^server/src/adapters/' },
      {
        path: '^server/src/features/',
        dependencyTypesNot: ['type-only'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|build|dist)/|^engine-as/assembly/.*\\.d\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
