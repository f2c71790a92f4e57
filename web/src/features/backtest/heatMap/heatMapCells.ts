import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { HonestyLevel } from '@sextant/workers/src/protocol/honesty.ts';
import { formatCount, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';

/** Figures of the rules on one market. */
interface CellFigures {
  netPnl: number;
  maxDrawdownFraction: number;
  tradeCount: number;
  /** null until it is judged, or when that failed. */
  level: HonestyLevel | null;
}

export interface HeatMapCell {
  symbol: string;
  interval: IntervalName;
  /** null until it has run, or when that failed. */
  figures: CellFigures | null;
  /** Why it has no figures or no verdict; empty without a failure. */
  problem: string;
}

export const cellColours = ['net', 'drawdown', 'verdict'] as const;
export type CellColour = (typeof cellColours)[number];

/** Every symbol on every interval, row after row. */
export const cellsOf = (symbols: readonly string[], intervals: readonly IntervalName[]): HeatMapCell[] =>
  symbols.flatMap((symbol) => intervals.map((interval) => ({ symbol, interval, figures: null, problem: '' })));

/** Largest amounts of the map: full tint. */
export interface CellScale {
  net: number;
  drawdown: number;
}

export function scaleOfCells(cells: readonly HeatMapCell[]): CellScale {
  const scale = { net: 0, drawdown: 0 };
  for (const { figures } of cells) {
    if (figures === null) continue;
    scale.net = Math.max(scale.net, Math.abs(figures.netPnl));
    scale.drawdown = Math.max(scale.drawdown, figures.maxDrawdownFraction);
  }
  return scale;
}

/** Strongest tint, percent: text stays readable on it in both themes. */
export const TINT_MAX = 32;

interface CellTint {
  /** Two colours that stay apart for readers who confuse red and green: blue and amber. */
  tone: 'good' | 'bad';
  /** Percent of the colour, 0 to TINT_MAX. */
  percent: number;
}

const levelTints: Record<HonestyLevel, CellTint> = {
  'holds up': { tone: 'good', percent: TINT_MAX },
  unclear: { tone: 'bad', percent: TINT_MAX / 4 },
  luck: { tone: 'bad', percent: TINT_MAX },
  'not enough data': { tone: 'bad', percent: 0 },
};

/** Grows with the root of the amount, so that one extreme cell does not make all others pale. */
const percentOf = (amount: number, largest: number): number =>
  largest > 0 ? Math.round(Math.sqrt(amount / largest) * TINT_MAX) : 0;

/** null: no colour, as without a figure. */
export function tintOfCell({ figures }: HeatMapCell, colour: CellColour, scale: CellScale): CellTint | null {
  if (figures === null) return null;
  const { netPnl, maxDrawdownFraction, level } = figures;
  if (colour === 'verdict') return level === null ? null : levelTints[level];
  if (colour === 'drawdown') return { tone: 'bad', percent: percentOf(maxDrawdownFraction, scale.drawdown) };
  return { tone: netPnl < 0 ? 'bad' : 'good', percent: percentOf(Math.abs(netPnl), scale.net) };
}

export const levelWords: Record<HonestyLevel, string> = {
  'holds up': 'Holds up',
  unclear: 'Unclear',
  luck: 'Luck',
  'not enough data': 'Too little data',
};

/** Text in a cell; null while it has none. */
export function textOfCell({ figures }: HeatMapCell, colour: CellColour): string | null {
  if (figures === null) return null;
  const { netPnl, maxDrawdownFraction, level } = figures;
  if (colour === 'net') return formatMoney(netPnl, true);
  if (colour === 'drawdown') return formatPercent(maxDrawdownFraction);
  return level === null ? null : levelWords[level];
}

/** Why cells have no figures, the most frequent reason first: `5 cells: 4h is not longer ...`. */
export function problemsOfCells(cells: readonly HeatMapCell[]): string[] {
  const counts = new Map<string, number>();
  for (const { figures, problem } of cells)
    if (figures === null && problem !== '') counts.set(problem, (counts.get(problem) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([problem, count]) => `${formatMany(count, 'cell')}: ${problem}`);
}

/** `Gained in 7 of 12 cells, median −3.10 USDT.`; empty before the first cell. */
export function summaryOfCells(cells: readonly HeatMapCell[]): string {
  const nets = cells.flatMap(({ figures }) => (figures === null ? [] : [figures.netPnl])).sort((a, b) => a - b);
  if (nets.length === 0) return '';
  const half = nets.length >> 1;
  const upper = nets[half] ?? 0;
  const median = nets.length % 2 === 1 ? upper : ((nets[half - 1] ?? 0) + upper) / 2;
  const gained = nets.filter((net) => net > 0).length;
  return `Gained in ${formatCount(gained)} of ${formatMany(nets.length, 'cell')}, median ${formatMoney(median, true)} USDT.`;
}
