import { indicatorIds } from '@sextant/engine-as/abi/registry.ts';
import type { z } from 'zod';
import { problemText } from '../candles/file/csvText.ts';
import { textOfFile } from '../candles/file/fileBytes.ts';
import { judgeFile } from '../candles/file/judgeFile.ts';
import { withoutForming } from '../candles/closedCandles.ts';
import type { HonestyResult } from '../protocol/honesty.ts';
import type { PortfolioResult } from '../protocol/portfolio.ts';
import type { OptimizeResult, ScanResult } from '../protocol/optimize.ts';
import type { TaskResult } from '../protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../tasks/index.ts';
import { backtestFromWire, BacktestRequestWire, rulesFromWire } from '../protocol/wire/backtest.ts';
import { backtestToWire } from '../protocol/wire/backtestResult.ts';
import { voteIds } from '../protocol/wire/defaults.ts';
import { indicatorsFromWire, IndicatorsRequestWire, seriesToWire } from '../protocol/wire/indicators.ts';
import { honestyFromWire, HonestyReturnsWire, HonestySearchWire, honestyToWire } from '../protocol/wire/honesty.ts';
import { firstIssue } from '../protocol/wire/issue.ts';
import { optimizeFromWire, OptimizeRequestWire, optimizeToWire } from '../protocol/wire/optimize.ts';
import { portfolioFromWire, PortfolioRequestWire, portfolioToWire } from '../protocol/wire/portfolio.ts';
import { scanFromWire, ScanRequestWire } from '../protocol/wire/scan.ts';
import { toWireError } from '../protocol/wire/wireError.ts';
import type { CompiledEngine } from '../engine/engine.ts';
import { loadModule } from './loadModule.ts';

/** Reads a candle file instead of JSON. */
const DATA_CHECK = 'data-check';

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
  portfolio(engine, input, closed) {
    const request = parse(PortfolioRequestWire, input);
    const symbols = request.symbols.map((each) => closed(each, `${each.symbol}: `));
    const result = runTask(engine, { name: 'portfolio', input: portfolioFromWire({ ...request, symbols }) });
    return portfolioToWire(valueOf(result as TaskResult<PortfolioResult>));
  },
  optimize(engine, input, closed) {
    const request = closed(parse(OptimizeRequestWire, input));
    const requested = optimizeFromWire(request);
    const result = runTask(engine, { name: 'optimize', input: requested });
    return optimizeToWire(valueOf(result as TaskResult<OptimizeResult>), requested);
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

/** @param command how the reader calls it: `npx sextant` */
const usageOf = (
  command: string,
): string => `Reads the JSON input of a task from standard input and prints its JSON result.

  ${command} indicators < input.json
    {"candles": {"time": [], "open": [], "high": [], "low": [], "close": [], "volume": []},
     "indicators": ["rsi", {"id": "ema", "period": 50, "as": "slow"}]}
    several of one id are named by their parameters: {"id": "sma", "period": 20} and 50 are named sma20 and sma50
  ${command} backtest < input.json
    {"candles": {...}, "params": {...}, "costs": {...}, "scored": 500}; params, costs and scored have defaults;
    the size of an order counts unless "impactCoefficient" and "turnoverShareMax" of "costs" are 0
    a strategy: "strategy" in place of "params", "context" with the candles of its longer intervals, "news"
    own rules: "rules" in place of "strategy", with "context" and "news": {"candles": {...}, "rules": "long when rsi(14) < 30"};
    "interval" is the step of the candles unless you send it; the language is in docs/rules.md
  ${command} portfolio < input.json
    {"strategy": {...}, "symbols": [{"symbol": "BTCUSDT", "candles": {...}, "costs": {...}}], "costs": {...}, "limits": {...}}:
    one account over many symbols; also "from" and "judge": docs/portfolio.md
  ${command} optimize < input.json
    {"candles": {...}, "params": {...}, "costs": {...}, "scored": 500, "optimize": {"samples": 50, "target": "pnl", "seed": 1}};
    also trainOn, refine, guide, space, walkForward, part and bestOfParts: docs/optimiser.md
    a strategy: "strategy", "context" and "news" as in backtest, ranges in "rulesSpace"
    own rules: "rules" with "interval", "context" and "news" as in backtest, ranges in the text: fast = 12 [5..50 step 1]
  ${command} scan < input.json
    {"series": [{"symbol": "BTCUSDT", "interval": "15m", "candles": {...}}], "weights": {...}}: last candle of each
  ${command} honesty < input.json
    {"search": {the input of optimize}} or {"returns": [[...], ...], "bestIndex": 0, "barMs": 900000}: docs/honesty.md
    this command keeps no counts: pass "earlierTrialCount", the sets tried before on the same candles, and, with "search",
    "earlierLookCount", the results seen before on the scored ones. Without them each search is judged as the first
  ${command} data-check < candles.csv
    any candle file, also in a ZIP archive, instead of JSON: the format that was read, rows, interval, gaps, overlaps, outliers,
    frozen and off-grid rows, and whether the lab reads it ("usable", "check", "unusable") with the reasons

The last rows of "candles" that have not closed, in UTC, are left out; standard error names them. A series that lies in the future as a
whole, such as a generated one, is run as it is; standard error says so. A value that is not defined yet is null. Bad input ends with one line on standard error and exit code 1.
Indicator ids: ${indicatorIds.join(', ')}
Vote ids (params.weights): ${voteIds.join(', ')}
`;

/** What differs between the repository and the package. */
export interface CommandHost {
  /** How the reader calls it, for the help. */
  command?: string;
  engine?: () => Promise<CompiledEngine>;
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
  { command = 'npm run -s task --', engine = loadModule }: CommandHost = {},
): Promise<CommandOutcome> {
  try {
    const leftOut: string[] = [];
    const stdout = await respond(args, { readInput, prepare, command, engine }, leftOut);
    return { code: 0, stdout, stderr: leftOut.map((words) => `${words}\n`).join('') };
  } catch (cause) {
    if (cause instanceof Rejection) return { code: 1, stdout: '', stderr: `${cause.message}\n` };
    throw cause;
  }
}

async function respond(
  [name, ...rest]: readonly string[],
  { readInput, prepare, command, engine }: Required<CommandHost> & Inputs,
  leftOut: string[],
): Promise<string> {
  if (name === '--help' || name === '-h') return usageOf(command);
  const task = Object.hasOwn(tasks, name ?? '') ? tasks[name ?? ''] : undefined;
  const names = [...Object.keys(tasks), DATA_CHECK].join(', ');
  if (name === undefined) throw new Rejection(`name a task: ${names} (--help tells more)`);
  if (task === undefined && name !== DATA_CHECK) throw new Rejection(`unknown task "${name}": the tasks are ${names}`);
  if (rest.length > 0)
    throw new Rejection(`unexpected argument "${rest[0] ?? ''}": the input comes from standard input`);
  const given = await readInput();
  if (task === undefined) return checkFile(typeof given === 'string' ? new TextEncoder().encode(given) : given);
  const input = parseJson(typeof given === 'string' ? given : new TextDecoder().decode(given));
  await prepare();
  const closed: Closed = (sent, of = '') => {
    const { sent: rest, leftOut: words } = withoutForming(sent, Date.now());
    if (words !== null) leftOut.push(`${of}${words}`);
    return rest;
  };
  return `${JSON.stringify(task(startEngine(await engine()), input, closed))}\n`;
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
