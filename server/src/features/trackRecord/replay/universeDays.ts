import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { FuturesSymbol } from '../../market/port.ts';
import { chooseUniverse } from '../../market/universe.ts';

export interface DailySeries {
  symbol: FuturesSymbol;
  /** Closed daily candles, oldest first. */
  candles: Candles;
}

/** Lists as the exchange had them, by the start of their UTC day; days without one are missing. */
export type ListedDays = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Days on which a scan with the usual settings had each symbol: the rules of a scan by what was known at the start of the day. Turnover
 * is that of the last closed day, volume times close; a day without a trade counts as halted. Spreads of the past are unknown and pass. A
 * symbol that the list of the day before did not have is left out.
 * @returns starts of UTC days, epoch ms, ascending, by symbol; symbols without a day are absent
 */
export function universeDays(
  series: readonly DailySeries[],
  symbolsMax: number,
  listed: ListedDays = new Map(),
): Map<string, Float64Array> {
  const turnovers = series.map(({ candles }) => turnoverByNextDay(candles));
  const days = [...new Set(turnovers.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
  const found = new Map<string, number[]>();
  for (const day of days) {
    // The list of the day itself may name what is listed in the course of it.
    const before = listed.get(day - DAY_MS);
    const known = series.flatMap(({ symbol }, i) => {
      const turnoverUsdt = turnovers[i]?.get(day);
      return turnoverUsdt === undefined || before?.has(symbol.symbol) === false ? [] : [{ symbol, turnoverUsdt }];
    });
    const { chosen } = chooseUniverse(
      {
        // Whether it trades today is not known on the day: the day before is.
        symbols: known.map(({ symbol, turnoverUsdt }) => ({
          ...symbol,
          status: turnoverUsdt > 0 ? 'trading' : 'halted',
        })),
        turnoverUsdt: new Map(known.map(({ symbol, turnoverUsdt }) => [symbol.symbol, turnoverUsdt])),
        spreadFraction: new Map(),
      },
      { whitelist: [], blacklist: [], symbolsMax, nowMs: day },
    );
    for (const { symbol } of chosen) found.set(symbol, [...(found.get(symbol) ?? []), day]);
  }
  return new Map([...found].map(([symbol, own]) => [symbol, Float64Array.from(own)]));
}

/** Turnover of each day by the start of the next one, when it was known. */
const turnoverByNextDay = ({ time, close, volume }: Candles): Map<number, number> =>
  new Map(Array.from(time, (at, i) => [at + DAY_MS, (close[i] ?? 0) * (volume[i] ?? 0)]));

/** A symbol of the past universe with its daily candles. */
export interface UniverseSymbol {
  symbol: string;
  /** Starts of UTC days in the universe, epoch ms. */
  days: Float64Array;
  candles: Candles;
}

/**
 * The symbols with the largest turnover over the time that is replayed: the sum over their days in the universe, each by the day before, within
 * the last `spanMs` before the end, or before a symbol's own end. Which of them trade today does not count, so a contract that ended has the
 * chance of any other. Equal ones by name.
 * @param endMs end of the replay, epoch ms
 */
export function largestByTurnover(
  universe: readonly UniverseSymbol[],
  { symbolsMax, spanMs, endMs }: { symbolsMax: number; spanMs: number; endMs: number },
): UniverseSymbol[] {
  const ranked = universe.map((each) => ({ each, turnover: turnoverOf(each, endMs, spanMs) }));
  ranked.sort((a, b) => b.turnover - a.turnover || (a.each.symbol < b.each.symbol ? -1 : 1));
  return ranked.slice(0, symbolsMax).map(({ each }) => each);
}

function turnoverOf({ days, candles }: UniverseSymbol, endMs: number, spanMs: number): number {
  const fromMs = Math.min(endMs, (candles.time.at(-1) ?? endMs) + DAY_MS) - spanMs;
  const byDay = turnoverByNextDay(candles);
  return days.reduce((sum, day) => sum + (day + DAY_MS > fromMs ? (byDay.get(day) ?? 0) : 0), 0);
}
