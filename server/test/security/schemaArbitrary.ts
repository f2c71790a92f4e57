import fc from 'fast-check';

/** The part of JSON Schema that our document uses. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  format?: string;
  pattern?: string;
  example?: unknown;
  examples?: unknown[];
}

const itemsMax = 12;

function text({ minLength = 0, maxLength = 60, format, enum: values }: Schema): fc.Arbitrary<unknown> {
  if (values !== undefined) return fc.constantFrom(...values);
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webUrl();
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const symbol = fc.constantFrom('BTCUSDT', 'ETHUSDT', 'btcusdt', 'XRPUSDT');
  return fc.oneof(symbol, fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }));
}

function number(schema: Schema): fc.Arbitrary<unknown> {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1e9;
  const max = Math.max(min, schema.maximum ?? schema.exclusiveMaximum ?? 1e9);
  if (schema.type === 'integer') return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
}

function object(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0 && typeof schema.additionalProperties === 'object') {
    const key = schema.propertyNames === undefined ? fc.string({ maxLength: 20 }) : validFor(schema.propertyNames);
    return fc.dictionary(key as fc.Arbitrary<string>, validFor(schema.additionalProperties), { maxKeys: 5 });
  }
  const model = Object.fromEntries(properties.map(([name, each]) => [name, validFor(each)]));
  return fc.record(model, { requiredKeys: schema.required ?? [] });
}

const byType: Record<string, (schema: Schema) => fc.Arbitrary<unknown>> = {
  string: text,
  number,
  integer: number,
  object,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items = {}, minItems = 0, maxItems = itemsMax }) =>
    fc.array(validFor(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, itemsMax)) }),
};

/** Values that match the schema. Rules outside the schema (a pattern, two fields together) may still reject one. */
export function validFor(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(validFor));
  if (schema.const !== undefined) return fc.constant(schema.const);
  const samples = schema.examples ?? (schema.example === undefined ? [] : [schema.example]);
  const made = byType[schema.type ?? '']?.(schema) ?? fc.jsonValue({ maxDepth: 2 });
  return samples.length === 0 ? made : fc.oneof(fc.constantFrom(...samples), made);
}

/** Values that clients send by mistake or on purpose. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    '\ud800',
    'a'.repeat(5000),
    1e308,
    -0,
    2 ** 53,
    [],
    {},
    [[]],
    'NaN',
    '1e999',
  ),
  fc.constant(JSON.parse('{"__proto__": {"isAdmin": true}}') as unknown),
);

/** A valid object with one field replaced, removed or added. */
export function nearlyValidFor(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return garbage;
  return fc
    .tuple(validFor(schema), fc.constantFrom(...names), fc.constantFrom('replace', 'remove', 'add'), garbage)
    .map(([value, name, act, other]) => {
      const fields = Object.entries(value as Record<string, unknown>);
      const others = fields.filter(([each]) => act === 'add' || each !== name);
      const changed = act === 'remove' ? [] : [[act === 'add' ? 'isAdmin' : name, other] as const];
      return Object.fromEntries([...others, ...changed]);
    });
}
