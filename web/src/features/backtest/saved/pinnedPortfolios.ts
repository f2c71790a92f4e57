import { metricById as define } from '@sextant/engine-as/abi/metrics.ts';
import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { proxy, ref } from 'valtio';
import type { PortfolioRun } from '../../../api/types.ts';
import { rulesText } from '../../../format/strategyText.ts';
import { formatUtc } from '../../../format/time.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** Runs of one account over many symbols that stand in the comparison; this browser remembers them. */
export interface PinnedPortfolio {
  isPortfolio: true;
  id: string;
  name: string;
  /** Mark to market over the run, USDT. */
  equity: number[];
  /** Values by the name of their line; fractions and USDT as numbers. */
  values: Record<string, string | number | null>;
  hashes: { engine: string; data: string };
}

const KEY = 'lab.portfolios';
const PINNED_MAX = 4;

export const pinned = proxy<{ runs: readonly PinnedPortfolio[] }>({ runs: ref(readPinned(readSaved(KEY))) });
onUserReset(() => {
  pinned.runs = ref([]);
  save(KEY, null);
});

/** Stored runs; those of another version are left out. */
export function readPinned(text: string | null): PinnedPortfolio[] {
  try {
    const stored = JSON.parse(text ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter(isPinned).slice(-PINNED_MAX) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isPinned(value: unknown): value is PinnedPortfolio {
  if (!isRecord(value)) return false;
  const { isPortfolio, id, name, equity, values, hashes } = value;
  const isNamed = isPortfolio === true && typeof id === 'string' && typeof name === 'string';
  const isDrawn = Array.isArray(equity) && equity.every((each) => typeof each === 'number');
  return isNamed && isDrawn && isRecord(values) && isRecord(hashes);
}

function put(runs: readonly PinnedPortfolio[]): void {
  pinned.runs = ref(runs);
  save(KEY, JSON.stringify(runs));
}

/** The same run on the same candles with the same rules and limits has one id. */
export const pinIdOf = ({ hashes }: Pick<PortfolioRun, 'hashes'>): string =>
  `portfolio-${hashes.params}-${hashes.data}-${hashes.result}`;

/** `12 symbols 1h, Live rules`. */
export const pinNameOf = ({ summary, interval, strategy_name: name }: PortfolioRun): string =>
  `${summary.symbolCount} symbols ${interval}, ${name ?? 'Rules'}`;

/** @param name free among those of the other runs */
export function pinOf(run: PortfolioRun, name: string): PinnedPortfolio {
  const { engine, data } = run.hashes;
  return {
    isPortfolio: true,
    id: pinIdOf(run),
    name,
    equity: [run.account.equity, ...run.curve.equity],
    values: { ...figuresOf(run), ...settingsOf(run) },
    hashes: { engine, data },
  };
}

/** Adds a run, once; the oldest one makes room. */
export const pinPortfolio = (run: PinnedPortfolio): void =>
  put([...pinned.runs.filter(({ id }) => id !== run.id), run].slice(-PINNED_MAX));
export const unpinPortfolio = (id: string): void => put(pinned.runs.filter((each) => each.id !== id));
export const renamePinned = (id: string, name: string): void =>
  put(pinned.runs.map((each) => (each.id === id ? { ...each, name: name.slice(0, SAVED_NAME_MAX) } : each)));

/** The figures that a run of one symbol has too, by the names of their lines. */
function figuresOf({ summary }: PortfolioRun): PinnedPortfolio['values'] {
  return {
    [`${define.netPnl.name}, USDT`]: summary.netPnl,
    [define.winRate.name]: summary.winRate,
    [define.trades.name]: summary.tradeCount,
    [define.maxDrawdown.name]: summary.maxDrawdownFraction,
    [define.profitFactor.name]: summary.profitFactor,
    [define.sharpe.name]: summary.sharpe.value,
    [define.sortino.name]: summary.sortino.value,
    [`${define.fees.name}, USDT`]: summary.fees,
    [define.exposure.name]: summary.exposureFraction,
  };
}

function settingsOf(run: PortfolioRun): PinnedPortfolio['values'] {
  const { account, interval, strategy, summary, exchange, curve, hashes } = run;
  const { limits, equity, leverage } = account;
  const off = (value: number, unit = ''): string => (value === 0 ? 'off' : `${value}${unit}`);
  return {
    Candles: `${summary.symbolCount} symbols ${interval}`,
    Exchange: exchange,
    'Last candle': formatUtc(curve.time.at(-1)),
    Engine: hashes.engine.slice(0, 8),
    Strategy: 'Rules',
    ...Object.fromEntries(rulesText(strategy)),
    'Own rules': strategy.rules ?? 'none',
    'Start equity, USDT': equity,
    Leverage: leverage,
    'Open positions': off(limits.positionsMax),
    'Openings in one candle': off(limits.openingsMax),
    'Daily loss limit': off(limits.dailyLossPct, ' %'),
    'Stops in a row': off(limits.stopStreak),
    'Cooldown, min': off(limits.cooldownMinutes),
    'Drawdown limit': off(limits.drawdownPct, ' %'),
    'Gross exposure': off(limits.grossMaxFraction, ' × balance'),
    'Net exposure': off(limits.netMaxFraction, ' × balance'),
    'Loss at all stops': off(limits.stopLossMaxFraction, ' × balance'),
  };
}

/** Why runs with an account among them must not be compared by their totals. */
export function portfolioCautions([first, ...others]: readonly PinnedPortfolio[], hasSingles: boolean): string[] {
  if (first === undefined) return [];
  return [
    ...(hasSingles ? ['One account over many symbols beside one symbol: compare rates, not totals.'] : []),
    ...(others.some(({ hashes }) => hashes.engine !== first.hashes.engine)
      ? ['Different engine versions: results are not comparable.']
      : []),
    ...(others.some(({ hashes }) => hashes.data !== first.hashes.data)
      ? ['Different symbols or candles: the market explains part of the difference.']
      : []),
  ];
}
