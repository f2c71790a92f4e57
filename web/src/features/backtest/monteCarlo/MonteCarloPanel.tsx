import type { MonteCarloResult } from '@sextant/workers/src/protocol/monteCarlo.ts';
import { Shuffle, Square } from 'lucide-react';
import { useEffect } from 'react';
import { proxy, ref, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatCount, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import type { Run } from '../backtestState.ts';
import { detailOf, rulesRunOf } from '../honesty/honestyState.ts';

interface Bin {
  from: number;
  to: number;
  count: number;
}

const BINS_MAX = 32;

/** Values in bins of equal width over their range, which includes `mark`; one bin when all are equal. */
export function histogramOf(values: Float64Array, mark: number): Bin[] {
  const low = Math.min(mark, ...values);
  const high = Math.max(mark, ...values);
  const count = high > low ? BINS_MAX : 1;
  const width = (high - low) / count;
  const bins = Array.from({ length: count }, (_, at) => ({
    from: low + at * width,
    to: low + (at + 1) * width,
    count: 0,
  }));
  for (const value of values) {
    const at = width > 0 ? Math.min(count - 1, Math.floor((value - low) / width)) : 0;
    const bin = bins[at];
    if (bin !== undefined) bin.count += 1;
  }
  return bins;
}

const MARKET_COUNT = 200;
/** Shown with the result: the same seed generates the same markets. */
const SEED = 1;
const DEADLINE_MS = 240_000;

interface MonteCarloState {
  /** The run of the generated markets. */
  of: Run | null;
  result: MonteCarloResult | null;
  doneCount: number | null;
  error: string | null;
}

const startState = (): MonteCarloState => ({ of: null, result: null, doneCount: null, error: null });
const monteCarloState = proxy<MonteCarloState>(startState());

const task = createLatestTask();
onUserReset(() => Object.assign(monteCarloState, startState()));

/** Stops a running test and clears its results. */
function forgetMarkets(): void {
  task.cancel();
  Object.assign(monteCarloState, startState());
}

/** Runs the rules of a run on markets generated from its candles. A newer call replaces a running one. */
function tryOtherMarkets(run: Run): Promise<boolean> {
  forgetMarkets();
  Object.assign(monteCarloState, { of: ref(run), doneCount: 0 });
  const { loaded, params, costs, scoredCount } = run;
  const rules = rulesRunOf(run) ?? { candles: loaded.candles, params, costs, scoredCount };
  const input = { run: rules, seed: SEED, marketCount: MARKET_COUNT };
  return task.run({
    work: (signal) =>
      runEngineTask('monteCarlo', input, {
        signal,
        deadlineMs: DEADLINE_MS,
        onProgress: ({ done }) => {
          // The last progress message may arrive after the result.
          if (!signal.aborted && monteCarloState.doneCount !== null) monteCarloState.doneCount = done;
        },
      }),
    onDone: (result) => {
      Object.assign(monteCarloState, { result: ref(result), doneCount: null });
    },
    onFailed: (failure) => {
      monteCarloState.error = messageOf(failure, 'The Monte Carlo run failed. Try again.');
      monteCarloState.doneCount = null;
    },
  });
}

const definitions = {
  blocks: {
    topic: 'monteCarlo',
    name: 'Generated markets',
    meaning: 'Blocks of real candles in random order, with repeats. An edge longer than a block is lost.',
    formula: 'block = the larger of a mean trade and the cube root of the scored candles',
    example: 'Same seed, same markets.',
  },
  band: {
    topic: 'monteCarlo',
    name: 'Nine of ten',
    meaning: 'Net PnL range without the best and worst 5 % of markets.',
    formula: '5 % and 95 % quantile',
  },
  gain: {
    topic: 'monteCarlo',
    name: 'Ended with a gain',
    meaning: 'Markets where these rules earned after costs.',
  },
  below: {
    topic: 'monteCarlo',
    name: 'Worse than this market',
    meaning: 'Markets that earned less than the real one. Nearly all: a lucky order, or an edge longer than a block.',
  },
  drawdown: {
    topic: 'monteCarlo',
    name: 'Max drawdown',
    meaning: 'Median max drawdown, and the level 1 in 20 markets exceeded.',
  },
} as const satisfies Record<string, Definition>;

/** The same rules on markets generated from this one: how much the result depends on the order of events. */
export function MonteCarloPanel({ run }: { run: Run }) {
  const { of, result, doneCount, error } = useSnapshot(monteCarloState);
  // The markets belong to one run: another run on screen drops them.
  useEffect(() => {
    if (monteCarloState.of !== run) forgetMarkets();
  }, [run]);
  const isMine = of === run;
  const isRunning = isMine && doneCount !== null;
  return (
    <Panel
      title="Other markets"
      aside={
        isRunning ? (
          <button type="button" className="btn btn-small" onClick={forgetMarkets}>
            <Square size={12} aria-hidden="true" /> Cancel, {formatCount(doneCount)} of {formatCount(MARKET_COUNT)}
          </button>
        ) : (
          <button type="button" className="btn btn-small" onClick={() => void tryOtherMarkets(run)}>
            <Shuffle size={14} aria-hidden="true" /> Try {formatCount(MARKET_COUNT)} generated markets
          </button>
        )
      }
      bodyClassName="min-h-40 p-3"
    >
      {isMine && error !== null && <ErrorState text={`Generating markets failed: ${error}`} />}
      {isMine && result !== null ? (
        <SimulatedOutcomes result={result} without={withoutWords(run)} />
      ) : (
        <p className="max-w-[75ch] text-label text-muted">
          Shuffles blocks of these candles and runs your rules on each. One lucky order falls apart.
        </p>
      )}
    </Panel>
  );
}

/** Names the minute candles and mark prices of the run: generated markets have none, so the comparison excludes them. */
export function withoutWords(run: Run): string {
  const { markPrices, fineCandles } = detailOf(run);
  const hasMarks = markPrices !== undefined || run.costs.funding?.mark !== undefined;
  const had = [...(fineCandles === undefined ? [] : ['minute candles']), ...(hasMarks ? ['mark prices'] : [])];
  return had.length === 0 ? '' : `without ${had.join(' and ')}`;
}

/** `200 of 200 markets`: a share of so few would read as certain. */
export const countText = (fraction: number, count: number): string =>
  `${formatCount(Math.round(fraction * count))} of ${formatMany(count, 'market')}`;

function SimulatedOutcomes({ result, without }: { result: MonteCarloResult; without: string }) {
  const { netPnlBand, maxDrawdownBand, gainFraction, belowOwnFraction, blockLength, ownNetPnl, netPnl } = result;
  const rows: [Definition, string][] = [
    [definitions.gain, countText(gainFraction, netPnl.length)],
    [definitions.band, `${formatMoney(netPnlBand.low, true)} to ${formatMoney(netPnlBand.high, true)}`],
    [definitions.below, countText(belowOwnFraction, netPnl.length)],
    [
      definitions.drawdown,
      `${formatPercent(maxDrawdownBand.median)}, above ${formatPercent(maxDrawdownBand.high)} in 1 of 20`,
    ],
  ];
  return (
    <div className="flex flex-col gap-3" data-testid="made-markets">
      <Histogram result={result} />
      <dl className="grid gap-x-6 gap-y-1 text-label tabular-nums md:grid-cols-2">
        {rows.map(([definition, value]) => (
          <div key={definition.name} className="flex items-baseline justify-between gap-2">
            <dt className="text-muted">
              <DefinedTerm definition={definition} />
            </dt>
            <dd className="text-right font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">
        n = {formatCount(netPnl.length)} <DefinedTerm definition={definitions.blocks} label="generated markets" /> of
        blocks of {formatCount(blockLength)} {blockLength === 1 ? 'candle' : 'candles'}, seed {SEED}. Median{' '}
        {formatMoney(netPnlBand.median, true)} USDT, this market{without === '' ? ' ' : `, ${without}: `}
        {formatMoney(ownNetPnl, true)} USDT.
      </p>
    </div>
  );
}

/** How many generated markets ended where, losses and gains in their colours, the real market as a line. */
function Histogram({ result: { netPnl, ownNetPnl } }: { result: MonteCarloResult }) {
  const bins = histogramOf(netPnl, ownNetPnl);
  const most = Math.max(...bins.map(({ count }) => count));
  const low = bins[0]?.from ?? 0;
  const high = bins.at(-1)?.to ?? 0;
  const place = high > low ? (ownNetPnl - low) / (high - low) : 0.5;
  return (
    <figure
      aria-label={`Net PnL of ${formatCount(netPnl.length)} generated markets, ${formatMoney(low, true)} to ${formatMoney(high, true)} USDT`}
    >
      <div aria-hidden="true" className="relative flex h-20 items-end gap-px border-b border-line">
        {bins.map(({ from, to, count }) => (
          <span
            key={from}
            className={`min-w-0 flex-1 ${(from + to) / 2 < 0 ? 'bg-down' : 'bg-up'}`}
            style={{ height: `${(count / most) * 100}%` }}
          />
        ))}
        <span className="absolute inset-y-0 w-0.5 bg-text" style={{ left: `calc(${place * 100}% - 1px)` }} />
      </div>
      <figcaption className="flex justify-between pt-1 text-label text-muted tabular-nums">
        <span>{formatMoney(low, true)}</span>
        <span>net PnL, USDT; line: this market</span>
        <span>{formatMoney(high, true)}</span>
      </figcaption>
    </figure>
  );
}
