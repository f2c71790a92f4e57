import type { Engine } from '../../engine/engine.ts';
import type { PortfolioRegime, PortfolioTrade } from '../../protocol/portfolio.ts';
import type { Candles } from '../../protocol/backtest.ts';
import { pushAddresses, pushCandles } from '../backtest.ts';
import { inArena } from '../honesty/kernels.ts';
import { indicatorsOf } from '../indicators.ts';
import type { Candidate } from './candidates.ts';

/** From here on the average directional index (14) calls a market a trend; the level of the vote `adx`. */
const ADX_TREND = 25;
/** Candles whose mean the average true range (14, as part of the close) is compared with. */
const USUAL_CANDLES = 100;

const names = ['trend', 'range', 'highVolatility', 'lowVolatility', 'unknown'] as const;
type Regime = (typeof names)[number];

/**
 * The trades by the state of the market of their symbol at the candle that decided the entry, which is all that was known then. Each trade is
 * in one of trend and range and in one of high and low volatility; where the indicators have no value yet it is in `unknown`.
 */
export function regimesOf(
  engine: Engine,
  candidates: readonly Candidate[],
  trades: readonly PortfolioTrade[],
): PortfolioRegime[] {
  const groups = new Map<Regime, PortfolioTrade[]>(names.map((name) => [name, []]));
  for (const { symbol, input } of candidates) {
    const own = trades.filter((trade) => trade.symbol === symbol);
    if (own.length === 0) continue;
    const stateAt = statesOf(engine, input.candles);
    for (const trade of own) for (const name of stateAt(trade.entryIndex - 1)) groups.get(name)?.push(trade);
  }
  return [...groups].map(([regime, inside]) => ({
    regime,
    tradeCount: inside.length,
    netPnl: inside.reduce((sum, { netPnl }) => sum + netPnl, 0),
    winRate: inside.length > 0 ? inside.filter(({ netPnl }) => netPnl > 0).length / inside.length : null,
  }));
}

function statesOf(engine: Engine, candles: Candles): (i: number) => Regime[] {
  const { close } = candles;
  const series = inArena(engine, () => {
    const columns = pushAddresses(engine, pushCandles(engine, candles));
    return indicatorsOf(engine, columns, close.length, [{ id: 'adx' }, { id: 'atr' }]);
  });
  const adx = series['adx']?.['adx'] ?? new Float64Array();
  const ranges = (series['atr']?.['atr'] ?? new Float64Array()).map((range, i) => range / (close[i] ?? Number.NaN));
  return (i) => {
    const trend = adx[i] ?? Number.NaN;
    const usual = ranges.slice(Math.max(0, i - USUAL_CANDLES + 1), i + 1);
    const mean = usual.reduce((sum, value) => sum + value, 0) / USUAL_CANDLES;
    // A mean over fewer candles, or over some without a range, is none.
    const isKnown = usual.length === USUAL_CANDLES && !Number.isNaN(mean) && !Number.isNaN(trend);
    if (!isKnown) return ['unknown'];
    const range = ranges[i] ?? Number.NaN;
    return [trend >= ADX_TREND ? 'trend' : 'range', range > mean ? 'highVolatility' : 'lowVolatility'];
  };
}
