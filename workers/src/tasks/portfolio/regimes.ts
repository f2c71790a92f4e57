import type { Engine } from '../../engine/engine.ts';
import type { PortfolioTrade } from '../../protocol/portfolio.ts';
import type { PortfolioRegime } from '../../protocol/portfolioFigures.ts';
import { pushAddresses } from '../backtest.ts';
import { inArena } from '../honesty/kernels.ts';
import { pushIndicator } from '../indicators.ts';
import type { Member } from './account.ts';

/** From here on the average directional index (14) calls a market a trend; the level of the vote `adx`. */
const ADX_TREND = 25;
/** Candles whose mean the average true range (14, as part of the close) is compared with. */
const USUAL_CANDLES = 100;

const names = ['trend', 'range', 'highVolatility', 'lowVolatility', 'unknown'] as const;
type Regime = (typeof names)[number];

/**
 * The trades by the state of the market of their symbol at the candle that decided the entry, which is all that was known then. Each trade is
 * in one of trend and range and in one of high and low volatility; where the indicators have no value yet it is in `unknown`.
 * @param members candles of the symbols in the arena
 * @param bySymbol trades of each of them
 */
export function regimesOf(
  engine: Engine,
  members: readonly Member[],
  bySymbol: readonly (readonly PortfolioTrade[])[],
): PortfolioRegime[] {
  const groups = new Map<Regime, PortfolioTrade[]>(names.map((name) => [name, []]));
  members.forEach((member, k) => {
    const own = bySymbol[k] ?? [];
    if (own.length === 0) return;
    inArena(engine, () => {
      const stateAt = statesOf(engine, member);
      for (const trade of own) for (const name of stateAt(trade.entryIndex - 1)) groups.get(name)?.push(trade);
    });
  });
  return [...groups].map(([regime, inside]) => ({
    regime,
    tradeCount: inside.length,
    netPnl: inside.reduce((sum, { netPnl }) => sum + netPnl, 0),
    winRate: inside.length > 0 ? inside.filter(({ netPnl }) => netPnl > 0).length / inside.length : null,
  }));
}

/** States at a candle, read from the arena: good until it is released. */
function statesOf(engine: Engine, { input: { candles }, prepared }: Member): (i: number) => Regime[] {
  const { close } = candles;
  const { length } = close;
  const columns = pushAddresses(engine, prepared.columns);
  const [adxAt, atrAt] = ['adx', 'atr'].map((id) => pushIndicator(engine, columns, length, id, id)) as [number, number];
  const adx = engine.f64View(adxAt, length);
  const atr = engine.f64View(atrAt, length);
  const rangeAt = (i: number): number => (atr[i] ?? Number.NaN) / (close[i] ?? Number.NaN);
  return (i) => {
    const trend = adx[i] ?? Number.NaN;
    const first = i - USUAL_CANDLES + 1;
    let sum = 0;
    for (let k = Math.max(0, first); k <= i; k++) sum += rangeAt(k);
    const mean = sum / USUAL_CANDLES;
    // A mean over fewer candles, or over some without a range, is none.
    if (first < 0 || Number.isNaN(mean) || Number.isNaN(trend)) return ['unknown'];
    return [trend >= ADX_TREND ? 'trend' : 'range', rangeAt(i) > mean ? 'highVolatility' : 'lowVolatility'];
  };
}
