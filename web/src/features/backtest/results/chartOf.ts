import { alignToLoaded, type ChartModel, drawdownPct } from '../../../charts/chartModel.ts';
import { formatFixed, formatMoney, seriesDecimals } from '../../../format/number.ts';
import { type Run, thresholdOf } from '../backtestState.ts';

/** The run as the chart draws it: candles with their trades, then equity, drawdown and score on the same time axis. */
export function chartOf(run: Run): ChartModel {
  const { loaded, costs, scoredCount, result } = run;
  const threshold = thresholdOf(run);
  const { candles } = loaded;
  const count = candles.time.length;
  const drawdown = drawdownPct(result.equity, costs.initialEquity);
  return {
    candles,
    priceDecimals: seriesDecimals(candles.close),
    scoredFrom: count - scoredCount,
    trades: result.trades,
    panes: [
      {
        id: 'equity',
        label: 'Equity, USDT',
        values: alignToLoaded(result.equity, count),
        colour: 'accent',
        isFilled: false,
        levels: [costs.initialEquity],
        weight: 0.4,
        format: (value) => formatMoney(value),
      },
      {
        id: 'drawdown',
        label: 'Drawdown, %',
        values: alignToLoaded(drawdown, count),
        colour: 'down',
        isFilled: true,
        levels: [],
        weight: 0.28,
        format: (value) => formatFixed(value, 2),
      },
      {
        id: 'score',
        label: 'Score',
        values: alignToLoaded(result.score, count),
        colour: 'muted',
        isFilled: false,
        levels: [threshold, -threshold],
        weight: 0.28,
        format: (value) => formatFixed(value, 2),
      },
    ],
  };
}
