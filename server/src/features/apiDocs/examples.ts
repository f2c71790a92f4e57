import type { DocumentedCall } from './documentedCalls.ts';

/**
 * Environment variable with the key, so that no example has to contain it. Calls that need no key send it too: they then count
 * against its hour, and a test key gets the documented response.
 */
const keyVariable = 'SEXTANT_API_KEY';

type Call = Pick<DocumentedCall, 'method' | 'sample'>;

/** Shell: runs unchanged once the variable is set. */
export function curlExample(baseUrl: string, { method, sample }: Call): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${baseUrl}${sample.path}'`,
    `-H "x-api-key: $${keyVariable}"`,
  ];
  if (sample.body !== null) {
    lines.push("-H 'content-type: application/json'", `-d '${JSON.stringify(sample.body)}'`);
  }
  return lines.join(' \\\n  ');
}

const indented = (value: unknown, by: string): string => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);

/** For Node.js 18 or later and for Deno, without a package. */
export function typescriptExample(baseUrl: string, { method, sample }: Call): string {
  const headers = [
    `'x-api-key': process.env.${keyVariable} ?? ''`,
    ...(sample.body === null ? [] : [`'content-type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(sample.body === null ? [] : [`  body: JSON.stringify(${indented(sample.body, '  ')}),`]),
    '  signal: AbortSignal.timeout(30_000),',
  ];
  return [
    `const response = await fetch('${baseUrl}${sample.path}', {`,
    ...options,
    '});',
    'const result = await response.json();',
    'if (!response.ok) throw new Error(`${result.code}: ${result.message}`);',
    'console.log(result);',
  ].join('\n');
}

/** For Python 3.8 or later, with its standard library alone. */
export function pythonExample(baseUrl: string, { method, sample }: Call): string {
  const headers = [
    `"x-api-key": os.environ["${keyVariable}"]`,
    ...(sample.body === null ? [] : ['"content-type": "application/json"']),
  ];
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${baseUrl}${sample.path}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={${headers.join(', ')}},`,
    ...(sample.body === null ? [] : [`    data=json.dumps(${indented(sample.body, '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request, timeout=30) as response:',
    '    print(json.load(response))',
  ].join('\n');
}

export interface CallExamples {
  curl: string;
  typescript: string;
  python: string;
}

export const examplesOf = (baseUrl: string, call: Call): CallExamples => ({
  curl: curlExample(baseUrl, call),
  typescript: typescriptExample(baseUrl, call),
  python: pythonExample(baseUrl, call),
});

/** A client of the stream: prints each event until it is stopped. */
export const streamExamplesOf = (baseUrl: string, { sample }: Call): CallExamples => ({
  curl: `curl -N '${baseUrl}${sample.path}' \\\n  -H "x-api-key: $${keyVariable}"`,
  typescript: [
    `const response = await fetch('${baseUrl}${sample.path}', {`,
    `  headers: { 'x-api-key': process.env.${keyVariable} ?? '' },`,
    '});',
    'if (!response.ok || response.body === null) throw new Error(`${response.status}`);',
    "let text = '';",
    'for await (const part of response.body.pipeThrough(new TextDecoderStream())) {',
    "  const blocks = (text + part).split('\\n\\n');",
    "  text = blocks.pop() ?? '';",
    '  for (const block of blocks) {',
    "    const lines = block.split('\\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);",
    '    const { id, event, data } = Object.fromEntries(lines);',
    '    // After a break send the last id as the header Last-Event-ID.',
    '    console.log(id, event, JSON.parse(data));',
    '  }',
    '}',
  ].join('\n'),
  python: [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${baseUrl}${sample.path}",`,
    `    headers={"x-api-key": os.environ["${keyVariable}"]},`,
    ')',
    '# A beat comes every 15 seconds: silence for 40 means that the connection is gone.',
    'with urllib.request.urlopen(request, timeout=40) as response:',
    '    fields = {}',
    '    for line in response:',
    '        name, _, value = line.decode().rstrip("\\n").partition(": ")',
    '        if name:',
    '            fields[name] = value',
    '        elif fields:',
    '            # After a break send the last id as the header Last-Event-ID.',
    '            print(fields.get("id"), fields["event"], json.loads(fields["data"]), flush=True)',
    '            fields = {}',
  ].join('\n'),
});
