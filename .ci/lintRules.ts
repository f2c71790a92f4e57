/** The project's own lint rules, loaded by `.oxlintrc.json`. Each message says what to write instead. */
interface Node {
  type: string;
  source?: unknown;
  name?: string;
  value?: unknown;
  object?: Node;
  property?: Node;
  callee?: Node;
  argument?: Node;
  expression?: Node;
  arguments?: Node[];
  properties?: Node[];
  /** Null where an array literal leaves one out. */
  elements?: (Node | null)[];
  key?: Node;
  typeAnnotation?: Node;
  literal?: Node;
}

interface Context {
  report: (problem: { node: Node; message: string }) => void;
}

interface Rule {
  create: (context: Context) => Record<string, (node: Node) => void>;
}

const forbid = (type: string, message: string, isForbidden: (node: Node) => boolean = () => true): Rule => ({
  create: ({ report }) => ({
    [type]: (node) => {
      if (isForbidden(node)) report({ node, message });
    },
  }),
});

/** A browser may report a locale that Intl rejects (`en-US@posix`); without an argument Intl uses the machine's locale. */
const LOCALE_MESSAGE =
  'Name the locale: a literal, or LOCALE of web/src/format/locale.ts. Other values are not known to be valid.';
const LOCALE_METHOD = /^toLocale(String|DateString|TimeString|UpperCase|LowerCase)$/;

const namesNoLocale = ({ arguments: given = [] }: Node): boolean =>
  given[0]?.type !== 'Literal' && given[0]?.name !== 'LOCALE';
const isOfIntl = ({ callee }: Node): boolean => callee?.object?.name === 'Intl';

function callsWithoutLocale(call: Node): boolean {
  const method = call.callee?.property?.name ?? '';
  if (isOfIntl(call)) return method !== 'getCanonicalLocales' && namesNoLocale(call);
  if (method === 'localeCompare') return (call.arguments ?? []).length < 2;
  return LOCALE_METHOD.test(method) && namesNoLocale(call);
}

/** `export { x } from 'another file'`. */
const isReExport = ({ source }: Node): boolean => source !== undefined && source !== null;
const spreadsALiteral = ({ properties = [] }: Node): boolean =>
  properties.some(({ type, argument }) => type === 'SpreadElement' && argument?.type === 'ObjectExpression');
/** Unwraps type assertions and parentheses. */
function unwrap(node: Node | undefined): Node | undefined {
  const isWrapped = /^(TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(node?.type ?? '');
  return isWrapped ? unwrap(node?.expression) : node;
}

/** `[...['a', 'b'], 'c']`, `[...(['a'] as const)]` or `f(...[a, b], c)`: elements packed into fewer lines by a spread. */
const spreadsAList = ({ elements = [], arguments: given = [] }: Node): boolean =>
  [...elements, ...given].some(
    (one) => one?.type === 'SpreadElement' && unwrap(one.argument)?.type === 'ArrayExpression',
  );

/** `ok: true` or `ok: false` in a type. */
const marksAnOutcome = ({ key, typeAnnotation }: Node): boolean =>
  key?.name === 'ok' && typeof typeAnnotation?.typeAnnotation?.literal?.value === 'boolean';

const RESULT_MESSAGE =
  'One type for outcomes: Result<Value, Error> of workers/src/core/result.ts, made with ok() and failWith().';
const RE_EXPORT_MESSAGE = 'No barrels: import from the file that owns the name.';
const PACKED_MESSAGE = 'One property a line: do not pack properties into a spread of a literal.';
const PACKED_LIST_MESSAGE = 'Write the elements out: do not pack them into a spread of a literal list.';

export default {
  meta: { name: 'house' },
  rules: {
    'named-exports': forbid('ExportDefaultDeclaration', 'Named exports only: a name should be the same in every file.'),
    'no-barrels': forbid('ExportAllDeclaration', RE_EXPORT_MESSAGE),
    'no-re-exports': forbid('ExportNamedDeclaration', RE_EXPORT_MESSAGE, isReExport),
    'no-packed-spread': forbid('ObjectExpression', PACKED_MESSAGE, spreadsALiteral),
    'no-packed-list': forbid('ArrayExpression', PACKED_LIST_MESSAGE, spreadsAList),
    'no-packed-arguments': forbid('CallExpression', PACKED_LIST_MESSAGE, spreadsAList),
    'no-packed-props': forbid(
      'JSXSpreadAttribute',
      PACKED_MESSAGE,
      ({ argument }) => argument?.type === 'ObjectExpression',
    ),
    'one-result': forbid('TSPropertySignature', RESULT_MESSAGE, marksAnOutcome),
    'locale-of-formatter': forbid('NewExpression', LOCALE_MESSAGE, (node) => isOfIntl(node) && namesNoLocale(node)),
    'locale-of-call': forbid('CallExpression', LOCALE_MESSAGE, callsWithoutLocale),
  },
};
