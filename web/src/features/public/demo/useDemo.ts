import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { demoKnobs, type DemoKnobs, type DemoMarket, type DemoRun, loadDemoMarket, runDemo } from './runDemo.ts';

export interface Demo {
  knobs: DemoKnobs;
  turn: (change: Partial<DemoKnobs>) => void;
  market: DemoMarket | null;
  run: DemoRun | null;
  failure: string | null;
  retry: () => void;
  /** Different settings run so far, and the best net result among them. */
  tried: { count: number; bestNetPnl: number };
  /** Milliseconds from the beginning of the page to its first result. */
  firstResultMs: number | null;
}

/** Loads the candles, runs, and runs again at each turn of a knob; of turns made meanwhile only the newest is run. */
export function useDemo(): Demo {
  const [knobs, setKnobs] = useState(demoKnobs);
  const [market, setMarket] = useState<DemoMarket | null>(null);
  const [run, setRun] = useState<DemoRun | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [firstResultMs, setFirstResultMs] = useState<number | null>(null);
  const [tries, setTries] = useState<ReadonlyMap<string, number>>(new Map());
  const queue = useRef({ isBusy: false, next: null as DemoKnobs | null });

  const work = useCallback(async (on: DemoMarket, wish: DemoKnobs) => {
    queue.current.next = wish;
    if (queue.current.isBusy) return;
    queue.current.isBusy = true;
    try {
      for (let next = takeNext(queue.current); next !== null; next = takeNext(queue.current)) {
        const done = await runDemo(on, next);
        const { netPnl } = done.result.summary;
        const key = JSON.stringify(next);
        setRun(done);
        setFailure(null);
        setTries((before) => new Map(before).set(key, netPnl));
        setFirstResultMs((before) => before ?? performance.now());
      }
    } catch (fault) {
      setFailure(messageOf(fault, 'the engine gave no answer.'));
    } finally {
      queue.current.isBusy = false;
    }
  }, []);

  useEffect(() => {
    let isCurrent = true;
    loadDemoMarket().then(
      (loaded) => {
        if (isCurrent) setMarket(loaded);
      },
      (fault: unknown) => {
        if (isCurrent) setFailure(messageOf(fault, 'the engine gave no answer.'));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [attempt]);
  useEffect(() => {
    if (market !== null) void work(market, knobs);
  }, [market, knobs, work]);

  return {
    knobs,
    market,
    run,
    failure,
    firstResultMs,
    turn: (change) => setKnobs((before) => ({ ...before, ...change })),
    retry: () => {
      setFailure(null);
      setAttempt(attempt + 1);
    },
    tried: { count: tries.size, bestNetPnl: Math.max(...tries.values()) },
  };
}

function takeNext(queue: { next: DemoKnobs | null }): DemoKnobs | null {
  const { next } = queue;
  queue.next = null;
  return next;
}
