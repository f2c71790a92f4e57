import type { ShockInput, ShockItem, ShockOutcome, ShockResult } from '@sextant/workers/src/protocol/positions.ts';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf, WordedError } from '../../../api/failure.ts';
import { fetchCandles } from '../../../data/market.ts';
import { type PositionView, sideSign } from '../../../api/positionView.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { enginePosition } from '../positionShapes.ts';
import type { Marked } from '../mark.ts';
import { type Beta, type Closes, closesOf } from './returnStatistics.ts';

/** Three weeks. */
const HOURS = 504;

/** Hourly closes of some symbols; a symbol that fails to load is not in the map. */
export function useHourlyCloses(series: readonly Pick<PositionView, 'exchange' | 'symbol'>[]): {
  closes: ReadonlyMap<string, Closes>;
  isWaiting: boolean;
} {
  return useQueries({
    queries: series.map(({ exchange, symbol }) => ({
      queryKey: queryKeys.market.candles(exchange, symbol, '1h', HOURS),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchCandles({ exchange, symbol, interval: '1h', limit: HOURS, signal }),
      staleTime: 30 * 60_000,
    })),
    combine: (responses) => ({
      closes: new Map(
        responses.flatMap(({ data }, at): [string, Closes][] => {
          const symbol = series[at]?.symbol;
          return data === undefined || symbol === undefined ? [] : [[symbol, closesOf(data.candles)]];
        }),
      ),
      isWaiting: responses.some(({ isPending }) => isPending),
    }),
  });
}

export interface BothWays {
  walked: readonly Walked[];
  settings: ShockSettings;
  down: ShockResult;
  up: ShockResult;
}

async function walkBoth(walked: readonly Walked[], settings: ShockSettings): Promise<BothWays> {
  const pool = await enginePool();
  const [down, up] = await Promise.all(
    ([-1, 1] as const).map(async (direction) => {
      const result = await pool.run('shock', shockInput(walked, settings, direction));
      if (!result.ok) throw new WordedError(result.error.message);
      return result.value;
    }),
  );
  if (down === undefined || up === undefined) throw new Error('two directions were asked for');
  return { walked, settings, down, up };
}

/** The shock in both directions, computed by the engine in this browser; the last result stays until the next. */
export function useShock(walked: readonly Walked[], settings: ShockSettings) {
  const [response, setResponse] = useState<{ result: BothWays | null; failure: string | null }>({
    result: null,
    failure: null,
  });
  const newest = useRef(0);
  const { shockPct, isByBeta, isGap } = settings;
  // Rows are rebuilt with every price, most of them with the same figures.
  const inputs = JSON.stringify(
    walked.map(({ marked: { position, price }, beta }) => [position, price, beta?.value ?? null]),
  );
  const latest = useRef(walked);
  useEffect(() => {
    latest.current = walked;
  });
  useEffect(() => {
    const run = ++newest.current;
    walkBoth(latest.current, { shockPct, isByBeta, isGap }).then(
      (result) => {
        if (run === newest.current) setResponse({ result, failure: null });
      },
      (thrown: unknown) => {
        if (run === newest.current)
          setResponse({ result: null, failure: messageOf(thrown, 'No response from the engine.') });
      },
    );
  }, [inputs, shockPct, isByBeta, isGap]);
  return response;
}

/** Percent. */
export const shockBounds = { min: 0.5, max: 20, step: 0.5, standard: 3 } as const;
/** Bars the way is walked in: a trailing stop may move after each. */
const PARTS = 40;

export interface ShockSettings {
  /** Percent, above 0; both directions are walked. */
  shockPct: number;
  /** By beta: the market moves by the shock, and each symbol by its beta times as much. */
  isByBeta: boolean;
  isGap: boolean;
}

/** A position with a price, which a shock can be applied to. `beta` is null where unknown: the symbol then moves like the market. */
interface Walked {
  marked: Marked & { price: number };
  beta: Beta | null;
}

/** Positions without a fresh price cannot be walked. */
export function walkable(list: readonly Marked[], betas: ReadonlyMap<string, Beta | null>): Walked[] {
  return list.flatMap((marked) => {
    const { position, price } = marked;
    if (price === null) return [];
    return [
      {
        marked: { ...marked, price },
        beta: betas.get(position.symbol) ?? null,
      },
    ];
  });
}

export function shockInput(walked: readonly Walked[], settings: ShockSettings, direction: 1 | -1): ShockInput {
  const move = (direction * settings.shockPct) / 100;
  return {
    items: walked.map((each) => shockItem(each, settings.isByBeta ? move * (each.beta?.value ?? 1) : move)),
    parts: PARTS,
    isGap: settings.isGap,
  };
}

/** A price cannot fall below zero, however large the beta. */
const MOVE_MIN = -0.99;

function shockItem({ marked: { position, price } }: Walked, moveFraction: number): ShockItem {
  return {
    position: { ...enginePosition(position), targets: position.takeProfits },
    markPrice: price,
    moveFraction: Math.max(MOVE_MIN, moveFraction),
    // A past range says little about the ranges of a shock: such a stop does not move.
    range: null,
  };
}

interface Ended {
  position: PositionView;
  outcome: ShockOutcome;
}

/** Effect of one direction. Money in USDT. */
export interface ShockView {
  pnl: number;
  equity: number;
  stopped: Ended[];
  taken: Ended[];
  liquidated: Ended[];
  stillOpen: number;
}

/** @param equity now, without the positions that have no price */
export function shockView(walked: readonly Walked[], outcomes: readonly ShockOutcome[], equity: number): ShockView {
  const ended = walked.flatMap(({ marked }, i): Ended[] => {
    const outcome = outcomes[i];
    return outcome === undefined ? [] : [{ position: marked.position, outcome }];
  });
  const by = (reason: ShockOutcome['closeReason']): Ended[] =>
    ended.filter(({ outcome }) => outcome.closeReason === reason);
  const pnl = ended.reduce((sum, { outcome }) => sum + outcome.pnl, 0);
  return {
    pnl,
    equity: equity + pnl,
    stopped: by('SL'),
    taken: by('TP'),
    liquidated: by('LIQ'),
    stillOpen: by(null).length,
  };
}

interface NextLiquidation {
  position: PositionView;
  /** Move of the symbol that reaches it, negative is down; a fraction of the last price. */
  moveFraction: number;
  /** The stop is hit first: only a gap beyond the stop liquidates. */
  isBehindStop: boolean;
}

/** The position closest to liquidation, by the move of its own symbol; null when none can be liquidated. */
export function nextLiquidation(list: readonly Marked[]): NextLiquidation | null {
  const all = list.flatMap(({ position, price }): NextLiquidation[] => {
    const { liquidationApprox: level, stopLoss, side } = position;
    if (price === null || level === null) return [];
    const isBehindStop = sideSign(side) * stopLoss > sideSign(side) * level;
    return [{ position, moveFraction: level / price - 1, isBehindStop }];
  });
  const [first, ...others] = all;
  if (first === undefined) return null;
  return others.reduce(
    (near, each) => (Math.abs(each.moveFraction) < Math.abs(near.moveFraction) ? each : near),
    first,
  );
}
