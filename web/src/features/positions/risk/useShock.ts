import type { ShockResult } from '@sextant/workers/src/protocolPositions.ts';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf, WordedError } from '../../../api/failure.ts';
import { fetchCandles } from '../../../api/market.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { type Closes, closesOf } from './returnStatistics.ts';
import { shockInput, type ShockSettings, type Walked } from './shockScenario.ts';

/** Three weeks. */
const HOURS = 504;

/** Hourly closes of some symbols; one that cannot be had is not in the map. */
export function useHourlyCloses(symbols: readonly string[]): {
  closes: ReadonlyMap<string, Closes>;
  isWaiting: boolean;
} {
  return useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: queryKeys.market.candles(symbol, '1h', HOURS),
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchCandles({ symbol, interval: '1h', limit: HOURS, signal }),
      staleTime: 30 * 60_000,
    })),
    combine: (answers) => ({
      closes: new Map(
        answers.flatMap(({ data }, at): [string, Closes][] => {
          const symbol = symbols[at];
          return data === undefined || symbol === undefined ? [] : [[symbol, closesOf(data.candles)]];
        }),
      ),
      isWaiting: answers.some(({ isPending }) => isPending),
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

/** The shock in both directions, by the engine of this browser; the last answer stays until the next is there. */
export function useShock(walked: readonly Walked[], settings: ShockSettings) {
  const [answer, setAnswer] = useState<{ result: BothWays | null; failure: string | null }>({
    result: null,
    failure: null,
  });
  const newest = useRef(0);
  const { shockPct, isByBeta, isGap } = settings;
  // Rows are made anew with every price, most of them with the same figures.
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
        if (run === newest.current) setAnswer({ result, failure: null });
      },
      (thrown: unknown) => {
        if (run === newest.current)
          setAnswer({ result: null, failure: messageOf(thrown, 'The engine gave no answer.') });
      },
    );
  }, [inputs, shockPct, isByBeta, isGap]);
  return answer;
}
