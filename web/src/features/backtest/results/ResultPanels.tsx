import { metricById } from '@sextant/engine-as/abi/metrics.ts';
import type { BacktestSummary, Costs, Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { type PointerEvent, useCallback, useState } from 'react';
import { alignToLoaded, type ChartModel, drawdownPct } from '../../../charts/chartModel.ts';
import {
  formatCount,
  formatFixed,
  formatMoney,
  formatPercent,
  seriesDecimals,
  tickDecimals,
} from '../../../format/number.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { type Run, thresholdOf } from '../backtestState.ts';
import { type Plot, usePlotCanvas } from '../search/usePlotCanvas.ts';
import { fundingGap } from './assumptions.ts';
import { exitRows, waterfall } from './figures.ts';

/** From gross to net, each cost as a step. */
export function CostWaterfall({ summary, costs }: { summary: BacktestSummary; costs: Costs }) {
  const steps = waterfall(summary);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const low = Math.min(0, ...ends);
  const range = Math.max(0, ...ends) - low || 1;
  const place = (value: number) => ((value - low) / range) * 100;
  return (
    <Panel title="Gross to net" aside="USDT" bodyClassName="p-3">
      <dl className="flex flex-col gap-1.5">
        {steps.map(({ key, amount, from, to }) => {
          const isLevel = key === 'gross' || key === 'netPnl';
          return (
            <div key={key} className="grid grid-cols-[72px_1fr_84px] items-center gap-2 text-label">
              <dt className={key === 'netPnl' ? 'font-semibold' : 'text-muted'}>
                <DefinedTerm definition={metricById[key]} label={key === 'netPnl' ? 'Net' : undefined} />
              </dt>
              <div aria-hidden="true" className="relative h-3">
                <span className="absolute inset-y-0 w-px bg-line" style={{ left: `${place(0)}%` }} />
                <span
                  className={`absolute inset-y-0.5 min-w-px rounded-sm ${amount < 0 ? 'bg-down' : 'bg-up'} ${isLevel ? '' : 'opacity-70'}`}
                  style={{ left: `${place(Math.min(from, to))}%`, width: `${(Math.abs(to - from) / range) * 100}%` }}
                />
              </div>
              <dd className={`text-right font-mono ${key === 'netPnl' ? 'font-semibold' : ''}`}>
                {(key === 'funding' ? fundingGap(costs, summary) : null) ?? formatMoney(amount, true)}
              </dd>
            </div>
          );
        })}
      </dl>
    </Panel>
  );
}

export const exitNames = {
  TP: 'Target',
  SL: 'Stop',
  LIQ: 'Liquidation',
  END: 'End of data',
  TIME: 'Time limit',
  SIGNAL: 'Opposite signal',
  RULE: 'Exit rule',
} as const;

export function ExitReasons({ trades }: { trades: readonly Trade[] }) {
  const rows = exitRows(trades);
  return (
    <Panel title="Exits" bodyClassName="">
      {rows.length === 0 ? (
        <p className="p-3 text-muted">No closed trades.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Reason
              </th>
              <th scope="col">Trades</th>
              <th scope="col">Won</th>
              <th scope="col">Net, USDT</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ reason, count, netPnl, winCount }) => (
              <tr key={reason}>
                <td className="lead">{exitNames[reason]}</td>
                <td className="font-mono">{formatCount(count)}</td>
                <td className="font-mono">{formatPercent(winCount / count)}</td>
                <td className={`font-mono ${netPnl < 0 ? 'text-down' : 'text-up'}`}>{formatMoney(netPnl, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

interface PlotFrame {
  width: number;
  height: number;
}

/** Both axes end at the largest excursion, so that the diagonal means "as far against as in favour". */
export function excursionScale(trades: readonly Trade[]): number {
  const most = trades.reduce(
    (largest, trade) => Math.max(largest, trade.adverseExcursionFraction, trade.favourableExcursionFraction),
    0,
  );
  return most > 0 ? most : 0.01;
}

/** Position of a trade, CSS pixels. */
export function placeOf(trade: Trade, { width, height }: PlotFrame, scale: number): { x: number; y: number } {
  return {
    x: 44 + (trade.adverseExcursionFraction / scale) * (width - 50),
    y: height - 18 - (trade.favourableExcursionFraction / scale) * (height - 22),
  };
}

const REACH_PX = 14;

/** The trade nearest to a point, within reach; null when there is none. */
export function nearestTrade(
  trades: readonly Trade[],
  frame: PlotFrame,
  place: { x: number; y: number },
): number | null {
  const scale = excursionScale(trades);
  let result: number | null = null;
  let least = REACH_PX ** 2;
  trades.forEach((trade, at) => {
    const { x, y } = placeOf(trade, frame, scale);
    const distance = (x - place.x) ** 2 + (y - place.y) ** 2;
    if (distance <= least) [result, least] = [at, distance];
  });
  return result;
}

const adverse: Definition = {
  topic: 'excursions',
  name: 'MAE',
  meaning: 'Maximum adverse excursion: the worst move against the trade, from its entry.',
  formula: 'worst move against the position / entry price',
};
const favourable: Definition = {
  topic: 'excursions',
  name: 'MFE',
  meaning: 'Maximum favourable excursion: the best move for the trade, from its entry.',
  formula: 'best move for the position / entry price',
};

interface Props {
  trades: readonly Trade[];
  selected: number | null;
  onSelect: (trade: number | null) => void;
}

/** Every trade by its excursions: winners that were nearly stopped, losers that nearly reached the target. */
export function Excursions({ trades, selected, onSelect }: Props) {
  const [said, setSaid] = useState('');
  const picture = useCallback(() => (plot: Plot) => drawTrades(plot, trades, selected), [trades, selected]);
  const canvas = usePlotCanvas(picture);
  const tradeAt = (event: PointerEvent<HTMLCanvasElement>): number | null => {
    const { clientWidth: width, clientHeight: height } = event.currentTarget;
    const { offsetX: x, offsetY: y } = event.nativeEvent;
    return nearestTrade(trades, { width, height }, { x, y });
  };
  const wordsOf = (at: number | null): string => {
    const trade = at === null ? undefined : trades[at];
    if (trade === undefined || at === null) return '';
    const { side, adverseExcursionFraction: mae, favourableExcursionFraction: mfe, netPnl } = trade;
    return `Trade ${at + 1}, ${side === 'LONG' ? 'long' : 'short'}: MAE ${formatPercent(mae)}, MFE ${formatPercent(mfe)}, net ${formatMoney(netPnl, true)} USDT`;
  };
  return (
    <Panel
      title="Excursions"
      aside={
        <span>
          <DefinedTerm definition={adverse} /> across, <DefinedTerm definition={favourable} /> up
        </span>
      }
      bodyClassName="flex flex-col gap-1 p-3"
    >
      <div className={`relative ${trades.length === 0 ? '' : 'h-52'}`}>
        {trades.length === 0 && <p className="text-muted">No closed trades.</p>}
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${trades.length} trades: worst move across, best move up. See the table.`}
          hidden={trades.length === 0}
          className="absolute inset-0 size-full cursor-crosshair"
          onPointerMove={(event) => setSaid(wordsOf(tradeAt(event)))}
          onPointerLeave={() => setSaid('')}
          onPointerUp={(event) => {
            const at = tradeAt(event);
            if (at !== null) onSelect(at === selected ? null : at);
          }}
        />
      </div>
      <p className="min-h-4 truncate text-label text-muted tabular-nums">
        {said === '' && trades.length > 0 ? 'Filled: gain; hollow: loss; ring: the selected trade.' : said}
      </p>
    </Panel>
  );
}

function drawTrades({ ctx, colours, ...frame }: Plot, trades: readonly Trade[], selected: number | null): void {
  const scale = excursionScale(trades);
  ctx.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  drawFrame({ ctx, colours, ...frame }, scale);
  trades.forEach((trade, at) => {
    const { x, y } = placeOf(trade, frame, scale);
    const isGain = trade.netPnl > 0;
    ctx.beginPath();
    ctx.arc(x, y, 3.5, 0, 2 * Math.PI);
    ctx.fillStyle = colours.up;
    ctx.strokeStyle = isGain ? colours.up : colours.down;
    ctx.lineWidth = 1.5;
    if (isGain) ctx.fill();
    else ctx.stroke();
    if (at !== selected) return;
    ctx.beginPath();
    ctx.arc(x, y, 7, 0, 2 * Math.PI);
    ctx.strokeStyle = colours.text;
    ctx.stroke();
  });
}

function drawFrame({ ctx, colours, width, height }: Plot, most: number): void {
  const corner = { x: 44, y: height - 18 };
  ctx.strokeStyle = colours.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(corner.x + 0.5, 4.5, width - corner.x - 6, corner.y - 4);
  // Above this line a trade went further in favour than against.
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(corner.x, corner.y);
  ctx.lineTo(width - 6, 4);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.fillStyle = colours.muted;
  for (const share of [0, 0.5, 1]) {
    ctx.textBaseline = 'top';
    ctx.textAlign = share === 1 ? 'right' : share === 0 ? 'left' : 'center';
    ctx.fillText(formatPercent(share * most), corner.x + share * (width - corner.x - 6), corner.y + 5);
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'right';
    ctx.fillText(formatPercent(share * most), corner.x - 4, Math.max(9, corner.y - share * (corner.y - 4)));
  }
}

/** Price decimals of a run: those of the market's tick, else as many as its candles have. */
export const runDecimals = ({ costs: { tickSize = 0 }, loaded }: Pick<Run, 'costs' | 'loaded'>): number =>
  tickDecimals(tickSize) ?? seriesDecimals(loaded.candles, loaded.source === 'exchange');

/** The run as the chart draws it: candles with their trades, then equity, drawdown and score on the same time axis. */
export function chartOf(run: Run): ChartModel {
  const { loaded, costs, scoredCount, result } = run;
  const threshold = thresholdOf(run);
  const { candles } = loaded;
  const count = candles.time.length;
  const drawdown = drawdownPct(result.equity, costs.initialEquity);
  return {
    candles,
    priceDecimals: runDecimals(run),
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
