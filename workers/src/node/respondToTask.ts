import type { z } from 'zod';
import { readFile } from 'node:fs/promises';
import { candleFields } from '../candles/candleColumns.ts';
import { problemText } from '../candles/file/csvText.ts';
import { textOfFile } from '../candles/file/fileBytes.ts';
import { judgeFile } from '../candles/file/judgeFile.ts';
import { parseCandleFile } from '../candles/file/parseCandleFile.ts';
import { withoutForming } from '../candles/closedCandles.ts';
import type { HonestyResult } from '../protocol/honesty.ts';
import type { PortfolioResult } from '../protocol/portfolio.ts';
import type { MonteCarloResult } from '../protocol/monteCarlo.ts';
import type { ScanResult, WalkForwardResult } from '../protocol/optimize.ts';
import type { EnginePool, RunOptions } from '../protocol/tasks.ts';
import type { TaskProgress, TaskResult } from '../protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../tasks/index.ts';
import { searchOnPool } from '../tasks/portfolio/searchAccount.ts';
import { portfolioSetsOnPool } from '../tasks/portfolio/setsOnPool.ts';
import { backtestFromWire, BacktestRequestWire, rulesFromWire } from '../protocol/wire/backtest.ts';
import { backtestToWire } from '../protocol/wire/backtestResult.ts';
import { indicatorsFromWire, IndicatorsRequestWire, seriesToWire } from '../protocol/wire/indicators.ts';
import { honestyFromWire, HonestyReturnsWire, HonestySearchWire, honestyToWire } from '../protocol/wire/honesty.ts';
import { firstIssue } from '../protocol/wire/issue.ts';
import {
  DetectableWire,
  MonteCarloRequestWire,
  monteCarloFromWire,
  monteCarloToWire,
} from '../protocol/wire/monteCarlo.ts';
import {
  optimizeFromWire,
  OptimizeRequestWire,
  WalkForwardWire,
  walkForwardToWire,
} from '../protocol/wire/optimize.ts';
import {
  portfolioFromWire,
  PortfolioCommandWire,
  portfolioSetsFromWire,
  PortfolioSetsRequestWire,
  portfolioToWire,
} from '../protocol/wire/portfolio.ts';
import { scanFromWire, ScanRequestWire } from '../protocol/wire/scan.ts';
import { toWireError } from '../protocol/wire/wireError.ts';
import type { CompiledEngine } from '../engine/engine.ts';
import { readKeys, verifyProof } from '../proof/verifyProof.ts';
import { type CommandArguments, readArguments } from './commandArguments.ts';
import { usageOf } from './commandUsage.ts';
import { loadModule } from './loadModule.ts';
import { onPool, onThisThread } from './onPool.ts';
import { runSearch } from './searchCommand.ts';

/** Reads a candle file instead of JSON. */
const DATA_CHECK = 'data-check';
/** Takes the file of a proof. */
const VERIFY = 'verify';

/** Bad input: reported in one line, without a stack. */
class Rejection extends Error {}

/** Drops the rows that have not closed; the response reports what was dropped. */
type Closed = <Sent extends Parameters<typeof withoutForming>[0]>(sent: Sent, name?: string) => Sent;

const tasks: Record<string, (engine: TaskEngine, input: unknown, closed: Closed) => unknown> = {
  indicators(engine, input, closed) {
    const request = closed(parse(IndicatorsRequestWire, input));
    const result = runTask(engine, { name: 'indicators', input: indicatorsFromWire(request) });
    return seriesToWire(valueOf(result as TaskResult<{ series: Parameters<typeof seriesToWire>[0] }>).series);
  },
  backtest(engine, input, closed) {
    const request = closed(parse(BacktestRequestWire, input));
    const { params, ...market } = backtestFromWire(request);
    const rules = rulesFromWire(request);
    const result = runTask(
      engine,
      rules === undefined
        ? { name: 'backtest', input: { ...market, params } }
        : { name: 'backtestStrategy', input: { ...market, ...rules } },
    );
    const value = valueOf(result as TaskResult<Parameters<typeof backtestToWire>[0]>);
    return backtestToWire(value, request.params, { costs: market.costs, strategy: rules?.strategy });
  },
  scan(engine, input, closed) {
    const request = parse(ScanRequestWire, input);
    const series = request.series.map((each) => closed(each, `${each.symbol} ${each.interval}: `));
    return valueOf(
      runTask(engine, { name: 'scan', input: scanFromWire({ ...request, series }) }) as TaskResult<ScanResult>,
    );
  },
  honesty(engine, input, closed) {
    const hasSearch = typeof input === 'object' && input !== null && 'search' in input;
    const sent = hasSearch ? parse(HonestySearchWire, input) : parse(HonestyReturnsWire, input);
    const request = 'search' in sent ? { ...sent, search: closed(sent.search) } : sent;
    const result = runTask(engine, { name: 'honesty', input: honestyFromWire(request) });
    return honestyToWire(valueOf(result as TaskResult<HonestyResult>));
  },
};

interface Running {
  engine: TaskEngine;
  closed: Closed;
  options: CommandArguments['options'];
  openPool: () => Promise<EnginePool>;
  onProgress: CommandHost['onProgress'];
}

/** Tasks that run on threads, or that only the command has. */
const threadedTasks: Record<string, (running: Running, input: unknown) => Promise<unknown>> = {
  optimize({ engine, closed, options: { sets, resume }, openPool, onProgress }, input) {
    const request = closed(parse(OptimizeRequestWire, input));
    return onPool(openPool, async (pool) => {
      const searched = await runSearch({ pool, engineHash: engine.hash, sets, resume, onProgress }, request);
      if (!searched.ok) throw new Rejection(searched.error);
      return searched.value;
    });
  },
  async portfolio({ engine, closed, openPool, onProgress }, input) {
    const request = parse(PortfolioCommandWire, input);
    const { search } = request;
    const symbols = request.symbols.map((each) => closed(each, `${each.symbol}: `));
    const account = portfolioFromWire({ ...request, symbols });
    if (search === undefined) {
      const result = runTask(engine, { name: 'portfolio', input: account });
      return portfolioToWire(valueOf(result as TaskResult<PortfolioResult>));
    }
    const searched = onPool(openPool, (pool) => searchOnPool(pool, account, search, reportTo(onProgress)));
    const { honesty, ...found } = valueOf(await searched);
    return { ...found, honesty: honesty === null ? null : honestyToWire(honesty) };
  },
  async 'portfolio-sets'({ closed, openPool, onProgress }, input) {
    const request = parse(PortfolioSetsRequestWire, input);
    const symbols = request.symbols.map((each) => closed(each, `${each.symbol}: `));
    const account = portfolioSetsFromWire({ ...request, symbols });
    return valueOf(await onPool(openPool, (pool) => portfolioSetsOnPool(pool, account, reportTo(onProgress))));
  },
  'walk-forward'({ engine, closed }, input) {
    const request = closed(parse(OptimizeRequestWire, input));
    const walkForward = request.optimize.walkForward ?? WalkForwardWire.parse({});
    const requested = { ...optimizeFromWire(request), walkForward };
    const result = runTask(engine, { name: 'walkForward', input: requested }) as TaskResult<WalkForwardResult>;
    return Promise.resolve(walkForwardToWire(valueOf(result)));
  },
  'monte-carlo'({ engine, closed }, input) {
    const request = closed(parse(MonteCarloRequestWire, input));
    const result = runTask(engine, { name: 'monteCarlo', input: monteCarloFromWire(request) });
    return Promise.resolve(monteCarloToWire(valueOf(result as TaskResult<MonteCarloResult>)));
  },
  detectable({ engine }, input) {
    const result = runTask(engine, { name: 'detectable', input: parse(DetectableWire, input) });
    return Promise.resolve(valueOf(result));
  },
};

const reportTo = (onProgress: CommandHost['onProgress']): RunOptions =>
  onProgress === undefined ? {} : { onProgress: ({ done, total }: TaskProgress) => onProgress(done, total) };

/** What differs between the repository and the package. */
export interface CommandHost {
  /** How the reader calls it, for the help. */
  command?: string;
  engine?: () => Promise<CompiledEngine>;
  /** Threads of the engine, as many as there are processors unless set; without it everything runs on this thread. */
  openPool?: (engine: CompiledEngine, threads: number | undefined) => Promise<EnginePool>;
  /** Samples of a search, or sets of an account, that are done. */
  onProgress?: (done: number, total: number) => void;
}

interface Inputs {
  readInput: () => Promise<string | Uint8Array>;
  prepare: () => Promise<void>;
}

export interface CommandOutcome {
  code: 0 | 1;
  stdout: string;
  stderr: string;
}

/**
 * Runs the task command: JSON of a task in, JSON of its result out. Bad input and dropped rows are one line each on `stderr`; a bug throws.
 * @param readInput bytes of the input or its text, called once the arguments are valid; `prepare` once the input is JSON: it builds a stale engine
 */
export async function respondToTask(
  args: readonly string[],
  readInput: () => Promise<string | Uint8Array>,
  prepare: () => Promise<void>,
  { command = 'npm run -s task --', engine = loadModule, ...host }: CommandHost = {},
): Promise<CommandOutcome> {
  try {
    const notes: string[] = [];
    const { code, stdout } = await respond(args, { readInput, prepare, command, engine, ...host }, notes);
    return { code, stdout, stderr: notes.map((words) => `${words}\n`).join('') };
  } catch (cause) {
    if (cause instanceof Rejection) return { code: 1, stdout: '', stderr: `${cause.message}\n` };
    throw cause;
  }
}

type Responding = Inputs & CommandHost & Required<Pick<CommandHost, 'command' | 'engine'>>;
type Responded = Pick<CommandOutcome, 'code' | 'stdout'>;

async function respond(
  [name, ...rest]: readonly string[],
  { readInput, prepare, command, engine, openPool, onProgress }: Responding,
  notes: string[],
): Promise<Responded> {
  if (name === '--help' || name === '-h') return { code: 0, stdout: usageOf(command) };
  const has = (record: object): boolean => Object.hasOwn(record, name ?? '');
  const names = [...Object.keys(tasks), ...Object.keys(threadedTasks), DATA_CHECK, VERIFY].join(', ');
  if (name === undefined) throw new Rejection(`name a task: ${names} (--help has more)`);
  if (!has(tasks) && !has(threadedTasks) && name !== DATA_CHECK && name !== VERIFY)
    throw new Rejection(`unknown task "${name}": the tasks are ${names}`);
  const read = readArguments(name, rest);
  if (!read.ok) throw new Rejection(read.error);
  const { options, file } = read.value;
  if (name === DATA_CHECK) return { code: 0, stdout: await checkFile(bytesOf(await readInput())) };
  if (name === VERIFY) return verifyFile({ file, keys: options.keys }, { prepare, engine });
  const threads = threadsOf(options.threads);
  const input = await readRequest(options, readInput, notes);
  await prepare();
  const closed: Closed = (sent, of = '') => {
    const { sent: whole, leftOut: words } = withoutForming(sent, Date.now());
    if (words !== null) notes.push(`${of}${words}`);
    return whole;
  };
  const compiled = await engine();
  const started = startEngine(compiled);
  const open = (): Promise<EnginePool> => openPool?.(compiled, threads) ?? Promise.resolve(onThisThread(started));
  const task = tasks[name];
  const value =
    task === undefined
      ? await threadedTasks[name]?.({ engine: started, closed, options, openPool: open, onProgress }, input)
      : task(started, input, closed);
  return { code: 0, stdout: `${JSON.stringify(value)}\n` };
}

const bytesOf = (given: string | Uint8Array): Uint8Array =>
  typeof given === 'string' ? new TextEncoder().encode(given) : given;

const THREADS_MAX = 256;

function threadsOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const threads = Number(given);
  if (!/^\d+$/.test(given) || threads < 1 || threads > THREADS_MAX)
    throw new Rejection(`--threads: a whole number from 1 to ${THREADS_MAX}, not "${given}"`);
  return threads;
}

/** The JSON of standard input, with candles and rules of the named files. With files an empty input is one without options. */
async function readRequest(
  { candles, rules }: CommandArguments['options'],
  readInput: Inputs['readInput'],
  notes: string[],
): Promise<unknown> {
  const given = await readInput();
  const text = typeof given === 'string' ? given : new TextDecoder().decode(given);
  if (candles === undefined && rules === undefined) return parseJson(text);
  const input = text.trim() === '' ? {} : parseJson(text);
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Rejection('standard input must be a JSON object');
  const request: Record<string, unknown> = { ...input };
  const put = (name: string, value: unknown): void => {
    if (request[name] !== undefined)
      throw new Rejection(`--${name}: leave out "${name}" of standard input, or the option`);
    request[name] = value;
  };
  if (candles !== undefined) put('candles', await candlesIn(candles, notes));
  if (rules !== undefined) put('rules', new TextDecoder().decode(await readNamed('--rules', rules)));
  return request;
}

async function candlesIn(path: string, notes: string[]): Promise<Record<string, number[]>> {
  const text = await textOfFile(await readNamed('--candles', path));
  if (!text.ok) throw new Rejection(`--candles: ${text.error}`);
  const read = parseCandleFile(text.value, Date.now());
  if (!read.ok) throw new Rejection(`--candles: ${read.error.problems.map(problemText).join('; ')}`);
  const { candles, assumed = [], missingCount } = read.value;
  notes.push(...assumed);
  if (missingCount > 0) notes.push(`${missingCount} candles are missing in ${path}; none are made up.`);
  return Object.fromEntries(candleFields.map((name) => [name, Array.from(candles[name])]));
}

async function readNamed(option: string, path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new Rejection(`${option}: ${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'no reason'})`, {
      cause,
    });
  }
}

/** The verdict on a proof: one line, then one for each part. Exit code 1 when it is not verified. */
async function verifyFile(
  { file, keys: path }: { file: string | undefined; keys: string | undefined },
  { prepare, engine }: Pick<Responding, 'prepare' | 'engine'>,
): Promise<Responded> {
  if (file === undefined) throw new Rejection('name the file of the proof: verify FILE');
  const bytes = await readNamed(VERIFY, file);
  const keys = path === undefined ? undefined : readKeys(new TextDecoder().decode(await readNamed('--keys', path)));
  if (keys !== undefined && !keys.ok) throw new Rejection(`--keys: ${keys.error}`);
  await prepare();
  const options = { engine: startEngine(await engine()) };
  const report = await verifyProof(bytes, keys === undefined ? options : { ...options, keys: keys.value });
  const lines = report.checks.map(({ name, state, words }) => `  ${name}: ${state}. ${words}`);
  return { code: report.isValid ? 0 : 1, stdout: `${[report.line, ...lines].join('\n')}\n` };
}

/** The verdict on a candle file as JSON. */
async function checkFile(bytes: Uint8Array): Promise<string> {
  const text = await textOfFile(bytes);
  if (!text.ok) throw new Rejection(`standard input: ${text.error}`);
  const verdict = judgeFile(text.value, Date.now());
  if (!verdict.ok) throw new Rejection(verdict.error.problems.map(problemText).join('; '));
  return `${JSON.stringify(verdict.value)}\n`;
}

function parseJson(source: string): unknown {
  if (source.trim() === '') throw new Rejection('standard input is empty: it must hold the JSON input of the task');
  try {
    return JSON.parse(source);
  } catch (cause) {
    // V8 quotes the input in its message, line breaks included.
    const reason = (cause as Error).message.replaceAll(/\s+/g, ' ');
    throw new Rejection(`standard input is not JSON: ${reason}`, { cause });
  }
}

function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { field, message } = firstIssue(parsed.error);
  throw new Rejection(field === '' ? `input: ${message}` : `${field}: ${message}`);
}

function valueOf<T>(result: TaskResult<T>): T {
  if (result.ok) return result.value;
  throw new Rejection(toWireError(result.error).message);
}
