import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import { classicRows, parameterRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { csvText } from '@sextant/workers/src/core/csvCell.ts';
import { SHARED_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { FileDown, Link2 } from 'lucide-react';
import { formatCount } from '../../../format/number.ts';
import { SHARE_PREFIX } from '../../../state/shareAddress.ts';
import { toast } from '../../../state/toasts.ts';
import { downloadText } from '../../../ui/download.ts';
import { type Run, useSettling } from '../backtestState.ts';
import { type ParamsJson, paramsToJson } from '../params.ts';
import { LINK_MAX, SHARE_VERSION } from '../share/shareLink.ts';
import { runBodyOf } from '../verify.ts';
import { candlesHead } from './exportHead.ts';
import { ExportProof } from './ExportProof.tsx';
import { analysisUnits, costUnits, exactJson, summaryUnits, tradeUnits, type Unit, withUnit } from './exportUnits.ts';
import { cumulativeNetPnl } from './TradesPanel.tsx';

/** Source and settings of a run, by the names of the API. The hash of the data covers fundings and candles. */
function headOf({ loaded, params, strategy, costs, scoredCount }: Run) {
  const { funding, ...plain } = costs;
  const rules: { params?: ParamsJson; strategy?: Strategy } =
    strategy === undefined ? { params: paramsToJson(params) } : { strategy };
  return {
    ...candlesHead(loaded, scoredCount),
    ...rules,
    costs: plain,
    fundingCount: funding?.time.length ?? 0,
  };
}

/** Everything but the candles, as JSON: numbers in full and in which unit, so that the run can be checked against its hashes. */
export function runJson(run: Run): string {
  const { summary, analysis, trades, equity, hashes } = run.result;
  const units = {
    summary: summaryUnits,
    analysis: analysisUnits,
    trades: tradeUnits,
    costs: costUnits,
    equity: 'USDT',
  };
  const result = { summary, analysis, trades, equity: Array.from(equity) };
  return `${exactJson({ ...headOf(run), hashes, units, ...result }, 1)}\n`;
}

type Line = [name: string, value: string | number | boolean | null, unit: Unit];

const headUnits: Partial<Record<string, Unit>> = {
  firstCandleMs: 'epoch ms',
  lastCandleMs: 'epoch ms',
  loaded: 'candles',
  scored: 'candles',
  fundingCount: 'count',
};
/** Units of parameters and of strategy numbers by name; distances are fractions whatever their API names say (`slPct`). */
const ruleUnits: Partial<Record<string, Unit>> = {
  ...Object.fromEntries(parameterRows.map(({ field, unit }) => [field, unit])),
  ...Object.fromEntries(classicRows.map(({ classic: { wire }, unit }) => [wire, unit])),
  enabled: 'true or false',
  isCompounding: 'true or false',
};

/** Each value of parameters or of a strategy with its path: `strategy.stop.multiple`, `strategy.intervals.0.weight`. */
function flatLines(path: string, record: object): Line[] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]): Line[] => {
    const here = `${path}.${name}`;
    if (typeof value === 'object' && value !== null) return flatLines(here, value);
    if (path.startsWith('strategy.parameters.')) return [[here, value as Line[1], parameterUnit(path, name)]];
    const isWeight = path.endsWith('.weights') || name === 'weight';
    return [[here, value as Line[1], isWeight ? 'ratio' : (ruleUnits[name] ?? null)]];
  });
}

/** A look-back is a number of candles; a level has the unit of its indicator. */
function parameterUnit(path: string, name: string): Unit | null {
  const vote = voteRegistry.find(({ id }) => path === `strategy.parameters.${id}`);
  return vote?.parameters.find((each) => each.name === name)?.isInteger === true ? 'candles' : null;
}

/** One figure per line: its name, its full value, its unit. */
export function resultsCsv(run: Run): string {
  const { params, strategy, costs, ...head } = headOf(run);
  const { sharpe, sortino, droppedSignals, ...figures } = run.result.summary;
  const named = (prefix: string, record: object, unitOf: (name: string) => Unit | undefined): Line[] =>
    Object.entries(record).map(([name, value]) => [`${prefix}${name}`, value as Line[1], unitOf(name) ?? null]);
  const ofSummary = (name: string): Unit | undefined => summaryUnits[name];
  return csvText([
    ['name', 'value', 'unit'],
    ...named('', head, (name) => headUnits[name]),
    ...named('', figures, ofSummary),
    ...named('', { sharpe: sharpe.value, sortino: sortino.value }, ofSummary),
    ...named('', run.result.analysis, (name) => analysisUnits[name]),
    ...named('dropped.', droppedSignals, () => 'count'),
    ...flatLines('params', params ?? {}),
    ...flatLines('strategy', strategy ?? {}),
    ...named('costs.', costs, (name) => costUnits[name]),
    ...named('hash.', run.result.hashes, () => null),
  ]);
}

const fields = Object.keys(tradeUnits) as (keyof Trade)[];
const utc = (atMs: number): string => new Date(atMs).toISOString();

/** Columns beside the engine's: the row number of the page, and readable times. */
const read = ['number', 'entryTime (UTC)', 'exitTime (UTC)'] as const;

/** The trades as CSV in the order of their entries, numbers in full, the unit of each column in its name. */
export function tradesCsv(trades: readonly Trade[]): string {
  const sums = cumulativeNetPnl(trades);
  return csvText([
    [...read, ...fields.map((name) => withUnit(name, tradeUnits[name])), withUnit('cumulativeNetPnl', 'USDT')],
    ...trades.map((trade, at) => [
      at + 1,
      utc(trade.entryTimeMs),
      utc(trade.exitTimeMs),
      ...fields.map((name) => trade[name]),
      sums[at] ?? null,
    ]),
  ]);
}

/** `BTCUSDT-1h`, from which every exported file is named. */
export const fileNameOf = ({ loaded }: Pick<Run, 'loaded'>): string =>
  `${loaded.label.replace(/\.csv$/i, '')}-${loaded.interval}`;

/** Trades and results as files: numbers in full, no text that a spreadsheet would run. */
export function ExportButtons({ run }: { run: Run }) {
  const name = fileNameOf(run);
  const { trades } = run.result;
  return (
    <span className="flex gap-1">
      <button
        type="button"
        className="btn btn-ghost btn-small"
        disabled={trades.length === 0}
        onClick={() => downloadText(`${name}-trades.csv`, tradesCsv(trades))}
      >
        <FileDown size={14} aria-hidden="true" className="max-md:hidden" /> Trades CSV
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        onClick={() => downloadText(`${name}-results.csv`, resultsCsv(run))}
      >
        Results CSV
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        onClick={() => downloadText(`${name}.json`, runJson(run), 'application/json')}
      >
        JSON
      </button>
      <ExportProof run={run} name={name} />
    </span>
  );
}

/** Why a run has no link; null when it has one. */
export function whyNotShared(run: Run): string | null {
  const { loaded, strategy } = run;
  if (loaded.source === 'csv') return 'Runs on your own file stay in this browser.';
  const { scoredFromMs } = loaded;
  if (loaded.candles.time.length > SHARED_CANDLES_MAX)
    return scoredFromMs === undefined
      ? `Share at most ${formatCount(SHARED_CANDLES_MAX)} candles: choose a shorter history.`
      : `Share at most ${formatCount(SHARED_CANDLES_MAX)} candles, lead-in included. Choose fewer days.`;
  if (loaded.exchange !== 'binance') return 'Sharing works for Binance candles.';
  const isLong = strategy?.rules !== undefined && shareLinkOf(run, '').length > LINK_MAX;
  return isLong ? 'These rules are too long for a link. Shorten their text.' : null;
}

/** The link is a fragment of `/`: browsers do not send fragments, so the shared run is in no server's log, and only one path is visible. */
export function shareLinkOf(run: Run, origin: string): string {
  const { symbol, exchange, interval, limit, endTime, scored, params, strategy, costs, fineData } = runBodyOf(run);
  const rules = strategy === undefined ? { params } : { params, strategy };
  const shared = {
    v: SHARE_VERSION,
    body: { symbol, exchange, interval, limit, endTime, scored, ...rules, costs, ...(fineData ? { fineData } : {}) },
    hashes: run.result.hashes,
  };
  return `${origin}/${SHARE_PREFIX}${toBase64Url(JSON.stringify(shared))}`;
}

const toBase64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Copies a link that holds parameters or rules, the window and hashes; opening it repeats the run and compares the hashes. */
export function ShareButton({ run }: { run: Run }) {
  const isSettling = useSettling() > 0;
  const reason = isSettling ? 'Loading minute data. Try again in a moment.' : whyNotShared(run);
  const copy = async () => {
    if (reason !== null) {
      toast(reason);
      return;
    }
    const link = shareLinkOf(run, location.origin);
    try {
      await navigator.clipboard.writeText(link);
      const held = run.strategy === undefined ? 'parameters' : 'rules';
      toast(`Link copied with ${held} and hashes. It is verified when opened.`, 'success');
    } catch {
      // A page that was not loaded over https has no clipboard.
      window.prompt('Copy this link', link);
    }
  };
  return (
    <button
      type="button"
      className="btn btn-small"
      // Not disabled: a finger and a keyboard get the reason too.
      title={reason ?? 'Copy a link to this run'}
      onClick={() => void copy()}
    >
      <Link2 size={14} aria-hidden="true" /> Share
    </button>
  );
}
