import { chance } from '@sextant/workers/src/tasks/honesty/figure.ts';
import { PROOF_KEYS_PATH } from '@sextant/workers/src/proof/contract.ts';
import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';

/** What the results of the tools say, and how they are shortened for the context of an agent. */

export interface SignalSaid {
  direction: string;
  confidence: number;
  chance?: number | null;
  chance_n?: number | null;
  chance_origin?: string | null;
  expected_net_pct?: number | null;
}

/** The measured chance with its sample and origin; empty without one. */
export const chanceWords = ({
  chance: share,
  chance_n: n,
  chance_origin: origin,
  expected_net_pct: net,
}: SignalSaid): string =>
  share == null
    ? ''
    : ` Win chance after fees ${chance(share, 1)} (${origin}, n = ${n})${net == null ? '' : `, expected ${net.toFixed(2)} % net`}.`;

interface Honesty {
  level: string;
  words: string;
  trialCount: number;
  figures: { id: string; name: string; words: string; says: string }[];
}
export interface Run {
  [figure: string]: unknown;
  pnl: number;
  trades: number;
  maxDrawdown: number;
  bestParams: object;
  tradeList: unknown[];
}
export interface JudgedRun extends Run {
  honesty: Honesty;
  last_candle_at: string;
}
export interface Optimised {
  best: Run & { strategy?: object };
  last_candle_at: string;
  honesty: Honesty;
  trialCount: number;
  leaders: unknown[];
  walkForward?: unknown;
}

const TRADES_SHOWN = 10;

/** Figures without the columns of each candle, which agents do not read. */
export function shortened(run: Record<string, unknown> & { tradeList: unknown[] }): object {
  const columns = new Set(['equity', 'score', 'tradeList', 'honesty']);
  const figures = Object.fromEntries(Object.entries(run).filter(([name]) => !columns.has(name)));
  return { ...figures, lastTrades: run.tradeList.slice(-TRADES_SHOWN) };
}

/** Arguments of the tool that repeat a run. */
interface RunArguments {
  symbol: string;
  exchange: string;
  interval: IntervalName;
  limit: number;
  params?: object;
  strategy?: object | undefined;
  rules?: string | undefined;
}

/**
 * How anyone repeats and proves a result: its hashes, and the request that returns the same run as a signed file. The file holds every
 * candle, which is too much for the context of an agent.
 */
export const proofOf = (run: Run, lastCandleAt: string, { interval, ...ran }: RunArguments): object => ({
  hashes: run['hashes'],
  signed_file: {
    method: 'POST',
    path: '/api/backtest/proof',
    body: { ...ran, interval, endTime: Date.parse(lastCandleAt) + intervalMs[interval] },
  },
  keys: PROOF_KEYS_PATH,
});

export interface Luck {
  [figure: string]: unknown;
  words: string;
}

export const tried = (count: number): string => (count === 1 ? '1 parameter set' : `${count} parameter sets`);

/** The verdict of the honesty panel, with the luck ceiling for the number of tried sets. */
export function verdictWords({ level, words, trialCount, figures }: Honesty): string {
  const ceiling = figures.find(({ id }) => id === 'luckCeiling');
  return [
    `Honesty verdict after ${tried(trialCount)}: ${level}. ${words}`,
    ...(ceiling === undefined ? [] : [`What luck alone would have found: ${ceiling.words}`]),
    'Report this verdict together with any result. Do not present the result as proof that the strategy works.',
  ].join('\n');
}

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
export const resultWords = ({ pnl, trades, maxDrawdown }: Pick<Run, 'pnl' | 'trades' | 'maxDrawdown'>): string =>
  `Net ${number(pnl)} USDT after fees and funding, ${trades} trades, largest drawdown ${number(maxDrawdown * 100)} %.`;

export interface PortfolioRun {
  [part: string]: unknown;
  summary: { netPnl: number; tradeCount: number; maxDrawdownFraction: number; symbolCount: number };
  contributions: { symbol: string; netPnl: number; tradeCount: number }[];
  trades: unknown[];
  survivors_text: string;
  honesty: Honesty | null;
}

/** A search over one account, as the API responds. */
export interface SearchedPortfolio {
  [part: string]: unknown;
  samples: number;
  target: string;
  best: { train: PortfolioRun['summary']; unseen: PortfolioRun['summary'] | null } | null;
  leaders: object[];
  honesty: Honesty | null;
}

export const accountWords = (summary: PortfolioRun['summary']): string => {
  const { netPnl: pnl, tradeCount: trades, maxDrawdownFraction: maxDrawdown, symbolCount } = summary;
  return `${symbolCount} symbols, one account. ${resultWords({ pnl, trades, maxDrawdown })}`;
};

export const portfolioWords = ({ summary, survivors_text: survivors }: PortfolioRun): string =>
  `${accountWords(summary)} ${survivors}`;

/** Without the curve and the correlations; contributions by symbol and net, the newest trades. */
export function portfolioData({ contributions, trades, ...run }: PortfolioRun): object {
  const shown = new Set(['curve', 'correlation', 'strategy', 'hashes']);
  const parts = Object.fromEntries(Object.entries(run).filter(([name]) => !shown.has(name)));
  const own = contributions.map(({ symbol: name, netPnl, tradeCount }) => ({ symbol: name, netPnl, tradeCount }));
  return { ...parts, contributions: own, lastTrades: trades.slice(-TRADES_SHOWN) };
}
