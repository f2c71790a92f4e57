import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DAY_MS, intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { format } from 'oxfmt';
import config from '../.oxfmtrc.json' with { type: 'json' };
import { loadModule } from '../workers/src/node/loadModule.ts';
import type { BacktestResult, Candles, Costs } from '../workers/src/protocol/backtest.ts';
import type { HonestyResult } from '../workers/src/protocol/honesty.ts';
import type { StrategyInput } from '../workers/src/protocol/strategy.ts';
import type { TaskResult } from '../workers/src/protocol/taskResult.ts';
import { defaultCosts, standardLiquidity } from '../workers/src/protocol/wire/defaults.ts';
import { ruleSetOf, strategyOfRules } from '../workers/src/rules/strategyOfRules.ts';
import { ruleTemplates } from '../workers/src/rules/templates/index.ts';
import type { RuleTemplate } from '../workers/src/rules/templates/template.ts';
import type { TemplateMeasurement, TemplateVerdict, VerdictLevel } from '../workers/src/rules/templates/verdict.ts';
import { runTask, startEngine } from '../workers/src/tasks/index.ts';
import { root } from './steps.ts';
import { templatePage } from './templatePage.ts';

/**
 * `node .ci/measureTemplates.ts <folder>` runs every template on every `SYMBOL-interval.csv` of the folder (time in epoch ms, open, high,
 * low, close, volume) and writes verdicts.gen.ts and docs/rules-templates.md. `SYMBOL-funding-8h.csv` is a history of funding. The data are
 * not part of the repository, so no check repeats this; a test compares the texts with those that were measured.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node .ci/measureTemplates.ts <folder with SYMBOL-interval.csv>');

/** Fewest candles after the look-back: below it a result is an accident. */
const SCORED_MIN = 100;
const SEED = 1;
/** BTC volumes of this data are in quote currency. */
const quoteVolumes = new Set(['BTCUSDT']);

interface Series {
  name: string;
  symbol: string;
  interval: IntervalName;
  candles: Candles;
  hash: string;
}

const hashOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex').slice(0, 16);
const rowsOf = (path: string): number[][] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

function seriesOf(path: string): Series {
  const [, symbol = '', interval = ''] = /^(\w+)-(\w+)\.csv$/.exec(basename(path)) ?? [];
  if (!(interval in intervalMs)) throw new Error(`${path}: ${interval} is not an interval`);
  const rows = rowsOf(path);
  const column = (k: number): Float64Array => Float64Array.from(rows, (row) => row[k] ?? Number.NaN);
  const close = column(4);
  const volume = quoteVolumes.has(symbol) ? column(5).map((quote, i) => quote / (close[i] ?? 1)) : column(5);
  const candles = { time: column(0), open: column(1), high: column(2), low: column(3), close, volume };
  const name = `${symbol} ${interval}`;
  return { name, symbol, interval: interval as IntervalName, candles, hash: hashOf(readFileSync(path)) };
}

/** Whole candles of a longer interval, from the candles of a shorter one. */
function joined({ candles, interval }: Series, longer: IntervalName): Candles {
  const size = intervalMs[longer] / intervalMs[interval];
  const groups = [...Map.groupBy(candles.time.keys(), (i) => Math.floor((candles.time[i] ?? 0) / intervalMs[longer]))]
    .filter(([, indexes]) => indexes.length === size)
    .map(([number, indexes]) => ({ time: number * intervalMs[longer], indexes }));
  const each = (value: (indexes: number[]) => number): Float64Array =>
    Float64Array.from(groups, ({ indexes }) => value(indexes));
  const { open, high, low, close, volume } = candles;
  return {
    time: Float64Array.from(groups, ({ time }) => time),
    open: each((indexes) => open[indexes[0] ?? 0] ?? 0),
    high: each((indexes) => indexes.reduce((most, i) => Math.max(most, high[i] ?? 0), 0)),
    low: each((indexes) => indexes.reduce((least, i) => Math.min(least, low[i] ?? 0), Infinity)),
    close: each((indexes) => close[indexes.at(-1) ?? 0] ?? 0),
    volume: each((indexes) => indexes.reduce((sum, i) => sum + (volume[i] ?? 0), 0)),
  };
}

function costsOf(symbol: string): Costs {
  const costs = { ...defaultCosts, ...standardLiquidity };
  const [path] = globSync(join(folder ?? '', `${symbol}-funding-8h.csv`));
  if (path === undefined) return { ...costs, fundingSource: 'assumed' };
  const rows = rowsOf(path);
  return {
    ...costs,
    funding: {
      time: Float64Array.from(rows, ([time]) => time ?? 0),
      rate: Float64Array.from(rows, ([, rate]) => rate ?? 0),
    },
  };
}

const all = globSync(join(folder, '*-{1m,5m,15m,1h,4h,1d}.csv')).sort().map(seriesOf);
const at = startEngine(await loadModule());

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

interface Run {
  netPct: number;
  tradeCount: number;
  dailySharpe: number | null;
  level: VerdictLevel;
}

/** Undefined where the series is too short. */
function runOf({ text }: RuleTemplate, series: Series): Run | undefined {
  const { candles, interval, symbol } = series;
  const strategy = strategyOfRules(text, interval);
  if (!strategy.ok) throw new Error(JSON.stringify(strategy.error));
  const own = { ...strategy.value, rules: text };
  const scoredCount = candles.time.length - ruleSetOf(own).lookBack.base - 1;
  if (scoredCount < SCORED_MIN) return undefined;
  const context = own.intervals.slice(1).map((one) => joined(series, one.interval));
  const input: StrategyInput = { candles, context, strategy: own, costs: costsOf(symbol), scoredCount };
  const { summary, trades } = valueOf(runTask(at, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>);
  const earlierTrialCount = ruleTemplates.length - 1;
  const judged = valueOf(
    runTask(at, {
      name: 'honesty',
      input: { kind: 'rules', run: input, seed: SEED, earlierTrialCount },
    }) as TaskResult<HonestyResult>,
  );
  const perBar = judged.figures.find(({ id }) => id === 'sharpe')?.value ?? null;
  return {
    netPct: (100 * summary.netPnl) / input.costs.initialEquity,
    tradeCount: trades.length,
    dailySharpe: perBar === null || trades.length === 0 ? null : perBar * Math.sqrt(DAY_MS / intervalMs[interval]),
    level: judged.reading.level,
  };
}

/** Four decimals: enough for the page, and the same on every machine. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half];
  if (upper === undefined) return null;
  const lower = sorted.length % 2 === 1 ? upper : (sorted[half - 1] ?? upper);
  return Number(((lower + upper) / 2).toFixed(4));
}

const cautiousFirst: readonly VerdictLevel[] = ['luck', 'not enough data', 'unclear', 'holds up'];

function verdictOf(template: RuleTemplate): TemplateVerdict {
  const runs = all.flatMap((series) => runOf(template, series) ?? []);
  const levels = { luck: 0, 'not enough data': 0, unclear: 0, 'holds up': 0 };
  for (const { level } of runs) levels[level]++;
  const most = Math.max(...Object.values(levels));
  return {
    id: template.id,
    textHash: hashOf(template.text),
    seriesCount: runs.length,
    netPct: median(runs.map(({ netPct }) => netPct)),
    gainCount: runs.filter(({ netPct }) => netPct > 0).length,
    tradeCount: median(runs.map(({ tradeCount }) => tradeCount)),
    dailySharpe: median(runs.flatMap(({ dailySharpe }) => dailySharpe ?? [])),
    levels,
    verdict: runs.length === 0 ? 'not enough data' : (cautiousFirst.find((level) => levels[level] === most) ?? 'luck'),
  };
}

const date = (ms: number | undefined): string => new Date(ms ?? 0).toISOString().slice(0, 10);
const verdicts = ruleTemplates.map((template) => {
  const verdict = verdictOf(template);
  console.log(
    `${template.id}: net ${verdict.netPct} %, ${verdict.tradeCount} trades, Sharpe ${verdict.dailySharpe}, ${verdict.verdict}`,
  );
  return verdict;
});
const measured: TemplateMeasurement = {
  measuredOn: date(Date.now()),
  series: all.map(({ name, candles: { time }, hash }) => ({
    name,
    candles: time.length,
    from: date(time[0]),
    until: date(time.at(-1)),
    hash,
  })),
  verdicts,
};
const code = `// Written by .ci/measureTemplates.ts. Do not edit.
import type { TemplateMeasurement } from './verdict.ts';

/** Every template on real candles, losers included; docs/rules-templates.md says how. */
export const measuredTemplates: TemplateMeasurement = ${JSON.stringify(measured)};
`;
const { printWidth, singleQuote } = config;
const path = 'workers/src/rules/templates/verdicts.gen.ts';
writeFileSync(join(root, path), (await format(path, code, { printWidth, singleQuote })).code);
writeFileSync(join(root, 'docs/rules-templates.md'), await templatePage(ruleTemplates, measured));
