import type { Engine } from '../../engine/engine.ts';
import type { HonestyFigure, HonestyResult, HonestyVerdict } from '../../protocol/honesty.ts';
import { chosenHere, type Evidence, figure, percent, plural, shortage, type Sight, withheld } from './figure.ts';
import { inArena, momentsOf, quantilesOf } from './kernels.ts';

const PATHS = 1000;
const CHECKPOINTS = 50;
const BAND = [0.05, 0.5, 0.95];

/** One return column in the arena: change of equity per bar over the starting equity. */
export interface ReturnColumn extends Sight {
  at: number;
  bars: number;
  /** Mean bars a trade was held; 1 when unknown. */
  barsHeld: number;
  seed: bigint;
  window: 'search' | 'scored';
}

export interface Resampled {
  figures: HonestyFigure[];
  fan: HonestyResult['fan'];
}

/** Profit and drawdown of block-resampled paths of the column. */
export function resampledFigures(engine: Engine, column: ReturnColumn, evidence: Evidence): Resampled {
  const rest = { count: PATHS, window: column.window } as const;
  const none = new Float64Array();
  const { deviation } = momentsOf(engine, column.at, column.bars);
  const short = shortage('equityBootstrap', evidence) ?? (deviation > 0 ? undefined : 'returns do not vary');
  if (short !== undefined) {
    const ids = ['equityBootstrap', 'resampledDrawdown'] as const;
    return { figures: ids.map((id) => withheld(id, short, rest)), fan: { low: none, median: none, high: none } };
  }
  const paths = drawPaths(engine, column);
  const [low, median, high] = quantilesOf(engine, paths.finals, BAND).map((equity) => equity - 1) as [
    number,
    number,
    number,
  ];
  const drawdowns = quantilesOf(engine, paths.drawdowns, BAND) as [number, number, number];
  const losing = paths.finals.reduce((count, equity) => count + Number(equity < 1), 0);
  const words = `Resampled result: ${percent(low, 1)} to ${percent(high, 1)} of starting equity; ${plural(losing, 'path')} of ${PATHS.toLocaleString('en-US')} lose.`;
  const drawdownWords = `Resampled max drawdown: ${percent(drawdowns[1], 1)}; above ${percent(drawdowns[2], 1)} in 1 of 20.`;
  // Of more looks each has to be surer.
  const [least = Number.NaN] = quantilesOf(engine, paths.finals, [0.05 / column.lookCount]);
  const says = bootstrapSays({ low: least - 1, median }, column.isUnseen);
  return {
    figures: [
      figure('equityBootstrap', median, says, words + chosenHere(column), { ...rest, band: { low, high } }),
      figure('resampledDrawdown', drawdowns[1], 'neither', drawdownWords, {
        ...rest,
        band: { low: drawdowns[0], high: drawdowns[2] },
      }),
    ],
    fan: paths.fan,
  };
}

/** @param band 5 % and 50 % of the resampled results, fraction of the starting equity */
export const bootstrapSays = ({ low, median }: { low: number; median: number }, isUnseen: boolean): HonestyVerdict =>
  median <= 0 ? 'luck' : low > 0 && isUnseen ? 'skill' : 'neither';

interface Paths {
  finals: Float64Array;
  drawdowns: Float64Array;
  fan: HonestyResult['fan'];
}

function drawPaths(engine: Engine, { at, bars, barsHeld, seed }: ReturnColumn): Paths {
  return inArena(engine, () => {
    const checkpoints = Math.min(CHECKPOINTS, bars);
    const finals = engine.reserve(PATHS);
    const drawdowns = engine.reserve(PATHS);
    const fanAt = engine.reserve(PATHS * checkpoints);
    const block = blockLength(bars, barsHeld);
    engine.raw.equityBootstrap(at, bars, 1, block, PATHS, seed, checkpoints, finals, drawdowns, fanAt);
    const fans = Array.from({ length: checkpoints }, (_, c) =>
      quantilesOf(engine, engine.pull(fanAt + 8 * PATHS * c, PATHS), BAND),
    );
    const row = (k: number): Float64Array => Float64Array.from(fans, (quantiles) => (quantiles[k] ?? Number.NaN) - 1);
    return {
      finals: engine.pull(finals, PATHS),
      drawdowns: engine.pull(drawdowns, PATHS),
      fan: { low: row(0), median: row(1), high: row(2) },
    };
  });
}

/** Long enough to keep a trade together, short enough to leave at least five blocks. */
export function blockLength(bars: number, barsHeld: number): number {
  const wanted = Math.max(Math.cbrt(bars), barsHeld);
  return Math.max(1, Math.min(Math.ceil(wanted), Math.floor(bars / 5)));
}
