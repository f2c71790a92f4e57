/** The parts of an OpenAPI document that the page shows. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Schemas };
}
export type Schemas = Record<string, Schema>;
export interface Operation {
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  /** Error codes by status, separated by commas. */
  'x-error-codes'?: Record<string, string>;
}
export type Schema = Record<string, unknown>;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const text = (value: unknown): string => String(value).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
const anchor = (method: string, path: string): string => `${method}${path.replace(/[^a-z0-9]+/gi, '-')}`;
const depthMax = 4;

/** A schema in readable form: `integer, 1 to 20`, or its fields one level in. */
function describe(schema: Schema, schemas: Schemas, depth = 0): string {
  const {
    type,
    properties,
    items,
    $ref: ref,
    enum: values,
    anyOf,
  } = schema as {
    type?: unknown;
    properties?: Record<string, Schema>;
    items?: Schema;
    $ref?: string;
    enum?: unknown[];
    anyOf?: Schema[];
  };
  if (ref !== undefined) {
    const name = ref.split('/').at(-1) ?? '';
    const named = schemas[name];
    return named === undefined || depth >= depthMax ? text(name) : describe(named, schemas, depth);
  }
  if (values !== undefined) return values.map((value) => `<code>${text(JSON.stringify(value))}</code>`).join(' ');
  if (anyOf !== undefined) return anyOf.map((each) => describe(each, schemas, depth)).join(' or ');
  if (properties !== undefined && depth < depthMax) {
    const required = new Set((schema['required'] as string[] | undefined) ?? []);
    const rows = Object.entries(properties).map(
      ([name, field]) =>
        `<li><code>${text(name)}</code>${required.has(name) ? '' : ' (optional)'}: ${describe(field, schemas, depth + 1)}` +
        `${field['description'] === undefined ? '' : `. ${text(field['description'])}`}</li>`,
    );
    return `object<ul>${rows.join('')}</ul>`;
  }
  if (items !== undefined) return `list of ${describe(items, schemas, depth + 1)}`;
  return `${text(type ?? 'any')}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return '';
  return `, ${text(minimum ?? '')} to ${text(maximum ?? '')}`;
}

const schemaOf = (content: Record<string, { schema: Schema }> | undefined): Schema | undefined =>
  Object.values(content ?? {})[0]?.schema;

function operationHtml(path: string, method: string, operation: Operation, schemas: Schemas): string {
  const { summary = '', parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(
    (each) =>
      `<tr><th scope="row"><code>${text(each.name)}</code></th><td>${text(each.in)}${each.required === true ? ', required' : ''}</td>` +
      `<td>${describe(each.schema, schemas)}</td><td>${text(each.description ?? '')}</td></tr>`,
  );
  const body = schemaOf(requestBody?.content);
  const good = schemaOf(responses['200']?.content);
  const rejections = Object.entries(operation['x-error-codes'] ?? {}).map(([status, codes]) => `${status} (${codes})`);
  return (
    `<section id="${anchor(method, path)}"><h3><code>${method.toUpperCase()} ${text(path)}</code></h3><p>${text(summary)}</p>` +
    (rows.length === 0
      ? ''
      : `<div class="wide" tabindex="0" role="region" aria-label="Parameters of ${method.toUpperCase()} ${text(path)}"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`) +
    (body === undefined ? '' : `<h4>Body</h4><div>${describe(body, schemas)}</div>`) +
    (good === undefined ? '' : `<details><summary>Response</summary><div>${describe(good, schemas)}</div></details>`) +
    (rejections.length === 0 ? '' : `<p class="muted">Errors: ${rejections.map(text).join(', ')}.</p>`) +
    '</section>'
  );
}

/** HTML page of the public API, generated from the API document. Without scripts, so that any client can read it. */
export function documentationPage(document: ApiDocument, stylePath: string): string {
  const schemas = document.components?.schemas ?? {};
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    of: operations.filter(({ operation }) => operation.tags?.includes(name) === true),
  }));
  const shown = groups.filter(({ of }) => of.length > 0);
  const contents = shown.map(
    ({ name, of }) =>
      `<li>${text(name)}<ul>${of.map(({ path, method }) => `<li><a href="#${anchor(method, path)}">${method.toUpperCase()} ${text(path)}</a></li>`).join('')}</ul></li>`,
  );
  const parts = shown.map(
    ({ name, description, of }) =>
      `<h2>${text(name)}</h2><p>${text(description)}</p>${of.map(({ path, method, operation }) => operationHtml(path, method, operation, schemas)).join('')}`,
  );
  const { title, version, description = '' } = document.info;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${text(title)}</title><link rel="stylesheet" href="${stylePath}"></head><body>` +
    `<header><h1>${text(title)}</h1><p>Version ${text(version)}. ${text(description)}</p>` +
    `<p>Send an API key as <code>x-api-key</code>, or <code>Authorization: Bearer &lt;token&gt;</code>. As a file: <a href="/api/openapi.json">openapi.json</a>. <a href="/">Back to Sextant</a></p></header>` +
    `<nav aria-label="Calls"><ul>${contents.join('')}</ul></nav><main>${parts.join('')}</main></body></html>`
  );
}
