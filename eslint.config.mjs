import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Size limits keep a function on one screen; tests and generated tables read top to bottom and are exempt. */
const size = {
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', 15],
};

/** A browser may report a locale that Intl refuses (`en-US@posix`), and without one Intl takes that of the machine. */
const localeMessage =
  'Name the locale: a literal, or LOCALE of web/src/format/locale.ts. Nothing else is known to be valid.';
const notNamed = ":not([arguments.0.type='Literal']):not([arguments.0.name='LOCALE'])";
const checkedLocale = [
  { selector: `NewExpression[callee.object.name='Intl']${notNamed}`, message: localeMessage },
  {
    selector: `CallExpression[callee.object.name='Intl'][callee.property.name!='getCanonicalLocales']`,
    message: localeMessage,
  },
  {
    selector: `CallExpression[callee.property.name=/^toLocale(String|DateString|TimeString|UpperCase|LowerCase)$/]${notNamed}`,
    message: localeMessage,
  },
  { selector: `CallExpression[callee.property.name='localeCompare'][arguments.length<2]`, message: localeMessage },
];

export default tseslint.config(
  {
    ignores: ['**/node_modules', '**/build', '**/dist', '**/*.gen.ts', '.data', '**/*.mjs'],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...size,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a name should be the same everywhere.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that owns the name.' },
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'One property a line: do not pack properties into a spread of a literal.',
        },
        ...checkedLocale,
      ],
      'no-console': 'error',
    },
  },
  { files: ['web/**/*.{ts,tsx}'], plugins: { 'react-hooks': reactHooks }, rules: reactHooks.configs.recommended.rules },
  {
    files: ['**/*.tsx'],
    // A view is mostly markup: its lines are not steps.
    rules: { 'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['**/test/**', '**/e2e/**', '**/fakes/**'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Hosts that ask for a default export, and commands that talk to a person.
    files: ['*.config.ts', '**/*.config.ts', 'workers/src/node/poolWorker.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['.ci/**', 'bench/**', 'server/launch/**', 'engine-as/build.ts', 'workers/src/node/taskCommand.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // AssemblyScript has the syntax of TypeScript and asc for its types: rules that ask for TypeScript's types are off.
    files: ['engine-as/assembly/**'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
);
