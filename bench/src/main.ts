import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { buildEngine } from '@sextant/engine-as/build.ts';
import { compareCommand } from './compareCommand.ts';
import { readEnvironment } from './environment.ts';
import { formatEnvironment, formatTable } from './report.ts';
import { formatRun, isMismatch, type ResultLine, type Run } from './results.ts';
import { runSuite, type SuiteRun } from './runSuite.ts';
import type { EngineFiles, PreparedSuite, Suite } from './suite.ts';
import { suites } from './suites/catalogue.ts';

const usage = `npm run bench                                  lists the suites
npm run bench -- <suite> [--json] [--save]     runs one; --case NAME (again and again) runs only those cases
npm run bench -- engine --candidate <wasm>     compares a changed engine with that of this tree, or --against <wasm>
npm run bench -- compare <before> <after>      judges two results files (file@commit picks a run)`;

const resultsFolder = join(import.meta.dirname, '../results');

interface Flags {
  isJson: boolean;
  isSaved: boolean;
  onlyCases: readonly string[];
  files: EngineFiles;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      candidate: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const [name, before, after] = positionals;
  if (name === undefined) return listSuites();
  if (name === 'compare') {
    if (before === undefined || after === undefined) throw new Error(`compare needs two results files\n${usage}`);
    return compareCommand(before, after, values.json);
  }
  const suite = suites.find((candidate) => candidate.name === name);
  if (suite === undefined) throw new Error(`no suite "${name}"; there are ${suites.map((s) => s.name).join(', ')}`);
  const { candidate, against } = values;
  const files = withoutUndefined({ candidate, against });
  checkFiles(suite, files);
  return measure(suite, { isJson: values.json, isSaved: values.save, onlyCases: values.case, files });
}

function listSuites(): number {
  const width = Math.max(...suites.map(({ name }) => name.length));
  console.log(suites.map(({ name, question }) => `${name.padEnd(width)}  ${question}`).join('\n'));
  console.log(`\n${usage}`);
  return 0;
}

/** @throws Error when a suite is given engine files that it does not read, or is not given its own */
function checkFiles(suite: Suite, { candidate, against }: EngineFiles): void {
  const isComparing = 'comparesEngines' in suite;
  if (isComparing && candidate === undefined)
    throw new Error(`${suite.name} needs --candidate and a wasm file\n${usage}`);
  if (!isComparing && (candidate ?? against) !== undefined)
    throw new Error(`--candidate and --against are of the suite engine\n${usage}`);
}

async function measure(suite: Suite, { isJson, isSaved, onlyCases, files }: Flags): Promise<number> {
  const { path } = await buildEngine();
  const environment = readEnvironment(path, new Date());
  if (isJson) console.log(JSON.stringify({ environment }));
  else console.log(`${suite.question}\n${formatEnvironment(environment)}\n`);

  const { lines, notes } = await runAny(suite, { onlyCases, files }, isJson);

  if (!isJson) console.log([formatTable(lines), '', ...notes].join('\n'));
  if (isSaved) save(suite.name, { environment, lines });
  return lines.some(isMismatch) ? 1 : 0;
}

async function runAny(
  suite: Suite,
  { onlyCases, files }: Pick<Flags, 'onlyCases' | 'files'>,
  isJson: boolean,
): Promise<SuiteRun> {
  if ('measure' in suite) {
    const { cases = [] } = suite;
    if (onlyCases.length > 0 && cases.length === 0)
      throw new Error(`${suite.name} has no single cases: it measures one product as a whole`);
    const unknown = onlyCases.find((each) => !cases.includes(each));
    if (unknown !== undefined) throw new Error(`${suite.name} has no case ${unknown}; there are ${cases.join(', ')}`);
    return suite.measure(reporter(isJson), onlyCases);
  }
  const prepared = await suite.prepare(files);
  try {
    return await run(suite.name, prepared, onlyCases, isJson);
  } finally {
    await prepared.close?.();
  }
}

const reporter = (isJson: boolean): ((line: ResultLine) => void) =>
  isJson ? (line) => console.log(JSON.stringify(line)) : reportProgress;

async function run(
  name: string,
  prepared: PreparedSuite,
  onlyCases: readonly string[],
  isJson: boolean,
): Promise<SuiteRun> {
  const isChosen = (each: { name: string }): boolean => onlyCases.length === 0 || onlyCases.includes(each.name);
  const [cases, measured] = [prepared.cases.filter(isChosen), (prepared.measured ?? []).filter(isChosen)];
  const known = [...prepared.cases, ...(prepared.measured ?? [])].map((each) => each.name).join(', ');
  if (cases.length + measured.length === 0)
    throw new Error(`${name} has no case ${onlyCases.join(', ')}; there are ${known}`);
  return runSuite(name, { ...prepared, cases, measured }, reporter(isJson));
}

function reportProgress(line: ResultLine): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line.case}`);
}

function save(suite: string, run: Run): void {
  mkdirSync(resultsFolder, { recursive: true });
  appendFileSync(join(resultsFolder, `${suite}.jsonl`), formatRun(run));
}

try {
  process.exitCode = await main();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
}
