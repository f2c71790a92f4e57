// Long because every step from the join of intervals to the signal is worked by hand.
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as abi from '../../abi/ensemble.ts';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status.ts';
import { VOTE_COUNT } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { mulberry } from '../candles.ts';
import { loadEngine } from '../support.ts';

const seed = 20260720;
const MINUTE = 60_000;

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});
beforeEach(() => engine.raw.arenaReset());

function integers(values: ArrayLike<number>): number {
  const at = engine.reserveBytes(4 * values.length);
  engine.i32View(at, values.length).set(values);
  return at;
}

interface Frame {
  rows: number[][];
  first: number[];
  weight: number;
  index?: number[];
}

function pushFrames(frames: readonly Frame[]): number {
  const rows = frames.flatMap(({ rows: votes, first, weight, index }) => {
    const stride = votes[0]!.length;
    const at = engine.reserveBytes(VOTE_COUNT * stride);
    votes.forEach((row, k) => engine.i8View(at + k * stride, stride).set(row));
    return [at, stride, integers(first), index === undefined ? 0 : integers(index), weight];
  });
  return integers(rows);
}

const votesOf = (length: number, rows: number[][]): number[][] =>
  Array.from({ length: VOTE_COUNT }, (_, k) => rows[k] ?? Array<number>(length).fill(0));
const weigh = (...weights: number[]): number[] => [
  ...weights,
  ...Array<number>(abi.ENSEMBLE_VOTE_COUNT - weights.length).fill(0),
];
const zeros = Array<number>(VOTE_COUNT).fill(0);

function score(frames: readonly Frame[], length: number, weights: readonly number[], news?: readonly number[]) {
  const timeframes = pushFrames(frames);
  const newsAt = news === undefined ? 0 : engine.reserveBytes(length);
  if (news !== undefined) engine.i8View(newsAt, length).set(news);
  const [out, live, weightsAt] = [engine.reserve(length), engine.reserveBytes(4 * length), integers(weights)];
  const status = engine.raw.ensembleScore(timeframes, frames.length, length, weightsAt, newsAt, out, live);
  const partsAt = engine.reserveBytes(4 * frames.length * abi.ENSEMBLE_VOTE_COUNT);
  const parts = (candle: number) => {
    const denominator = engine.raw.ensembleParts(timeframes, frames.length, candle, weightsAt, newsAt, partsAt);
    return { denominator, parts: [...engine.i32View(partsAt, frames.length * abi.ENSEMBLE_VOTE_COUNT)] };
  };
  return { status, scores: [...engine.pull(out, length)], live: [...engine.i32View(live, length)], parts };
}

describe('the as-of join', () => {
  function join(base: number[], baseStep: number, other: number[], otherStep: number): number[] {
    const index = engine.reserveBytes(4 * base.length);
    const [baseAt, otherAt] = [engine.push(Float64Array.from(base)), engine.push(Float64Array.from(other))];
    engine.raw.asOf(baseAt, base.length, baseStep, otherAt, other.length, otherStep, index);
    return [...engine.i32View(index, base.length)];
  }

  it('knows an hour only from the quarter that closes with it', () => {
    // Quarters open at 0, 15, 30, 45, 60 minutes; the hour that opened at 0 closes with the quarter that opened at 45.
    const quarters = [0, 15, 30, 45, 60].map((minute) => minute * MINUTE);
    expect(join(quarters, 15 * MINUTE, [0, 60 * MINUTE], 60 * MINUTE)).toEqual([-1, -1, -1, 0, 0]);
  });

  it('does not use a candle that closed too long ago', () => {
    const hours = [0, 1, 2, 3, 4].map((hour) => hour * 60 * MINUTE);
    expect(join(hours, 60 * MINUTE, [0], 60 * MINUTE)).toEqual([0, 0, 0, -1, -1]);
  });

  it('takes the last of several finer candles', () => {
    expect(
      join(
        [0],
        60 * MINUTE,
        [0, 15, 30, 45].map((minute) => minute * MINUTE),
        15 * MINUTE,
      ),
    ).toEqual([3]);
  });

  it('never looks ahead, whatever the times', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(
        steps,
        steps,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        (a, b, stepA, stepB) => {
          engine.raw.arenaReset();
          const timesOf = (gaps: number[], step: number): number[] => {
            let now = 0;
            return gaps.map((gap) => (now += step * gap));
          };
          const [base, other] = [timesOf(a, stepA), timesOf(b, stepB)];
          join(base, stepA, other, stepB).forEach((known, i) => {
            const now = base[i]! + stepA;
            const closed = other.map((time) => time + stepB).filter((close) => close <= now);
            const isFresh = closed.length > 0 && now - closed.at(-1)! <= abi.STALE_STEPS * stepB;
            expect(known).toBe(isFresh ? closed.length - 1 : -1);
          });
        },
      ),
      { seed, numRuns: 200 },
    );
  });
});

describe('the ensemble score', () => {
  it('weighs votes and intervals', () => {
    // Base weight 1: votes 1, -1 with 3 and 1 units; other weight 3: both 1. (1 * (3 - 1) + 3 * (3 + 1)) / (4 * 4)
    const base: Frame = { rows: votesOf(1, [[1], [-1]]), first: zeros, weight: 10 };
    const other: Frame = { rows: votesOf(1, [[1], [1]]), first: zeros, weight: 30, index: [0] };
    const got = score([base, other], 1, weigh(3, 1));
    expect(got.scores).toEqual([14 / 16]);
    expect(got.live).toEqual([4]);
  });

  it('has no value while a weighted interval is not known', () => {
    const base: Frame = { rows: votesOf(3, [[1, 1, 1]]), first: zeros, weight: 10 };
    const other: Frame = { rows: votesOf(1, [[-1]]), first: zeros, weight: 10, index: [-1, 0, 0] };
    expect(score([base, other], 3, weigh(1)).scores).toEqual([NaN, 0, 0]);
    expect(score([base, { ...other, weight: 0 }], 3, weigh(1)).scores).toEqual([1, 1, 1]);
  });

  it('counts news only when there is a vote on it', () => {
    const base: Frame = { rows: votesOf(1, [[1]]), first: zeros, weight: 10 };
    const weights = weigh(1);
    weights[abi.VOTE_NEWS] = 3;
    expect(score([base], 1, weights).scores).toEqual([1]);
    expect(score([base], 1, weights, [-1]).scores).toEqual([-0.5]);
    expect(score([base], 1, weights, [0]).scores).toEqual([0.25]);
  });

  it('turns a vote of negative weight round, and counts the size of the weight', () => {
    // (1 * 3 + -1 * 1) / (3 + 1), and with the second vote at -1: (3 + 1) / 4.
    const base: Frame = {
      rows: votesOf(2, [
        [1, 1],
        [1, -1],
      ]),
      first: zeros,
      weight: 10,
    };
    expect(score([base], 2, weigh(3, -1)).scores).toEqual([0.5, 1]);
  });

  it('leaves out the weight of news at a candle where they have no say', () => {
    const base: Frame = { rows: votesOf(3, [[1, 1, 1]]), first: zeros, weight: 10 };
    const weights = weigh(1);
    weights[abi.VOTE_NEWS] = 3;
    const got = score([base], 3, weights, [abi.NEWS_SILENT, -1, 1]);
    expect(got.scores).toEqual([1, -0.5, 1]);
    expect(got.live).toEqual([1, 2, 2]);
  });

  it('is 0 when nothing has a weight', () => {
    const base: Frame = { rows: votesOf(1, [[1]]), first: zeros, weight: 0 };
    expect(score([base], 1, weigh(1)).scores).toEqual([0]);
  });

  it.each([
    ['a negative vote weight beyond its bound', weigh(-abi.WEIGHT_UNITS_MAX - 1), 10],
    ['a vote weight beyond its bound', weigh(abi.WEIGHT_UNITS_MAX + 1), 10],
    ['an interval weight beyond its bound', weigh(1), abi.TIMEFRAME_WEIGHT_MAX + 1],
  ])('rejects %s', (_, weights, weight) => {
    expect(score([{ rows: votesOf(1, []), first: zeros, weight }], 1, weights).status).toBe(STATUS_BAD_PARAMETER);
  });

  it('is the sum of its parts to the last unit, for any votes and weights', () => {
    const vote = fc.integer({ min: -1, max: 1 });
    const rows = fc.array(fc.array(vote, { minLength: 6, maxLength: 6 }), {
      minLength: VOTE_COUNT,
      maxLength: VOTE_COUNT,
    });
    const units = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 19, maxLength: 19 });
    const frame = fc.record({
      rows,
      weight: fc.integer({ min: 0, max: 100 }),
      index: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 6, maxLength: 6 }),
    });
    fc.assert(
      fc.property(
        fc.array(frame, { minLength: 1, maxLength: 8 }),
        units,
        fc.array(vote, { minLength: 6, maxLength: 6 }),
        (frames, weights, news) => {
          engine.raw.arenaReset();
          const got = score(
            frames.map((each) => ({ ...each, first: zeros })),
            6,
            weights,
            news,
          );
          expect(got.status).toBe(STATUS_OK);
          for (let i = 0; i < 6; i++) {
            const { denominator, parts } = got.parts(i);
            const numerator = parts.reduce((sum, part) => sum + part, 0);
            const want = frames.reduce(
              (sum, each) =>
                sum +
                each.weight *
                  (each.rows.reduce((own, row, k) => own + weights[k]! * row[each.index[i]!]!, 0) +
                    weights[18]! * news[i]!),
              0,
            );
            expect(numerator).toBe(want);
            expect(got.scores[i]).toBe(denominator === 0 ? 0 : numerator / denominator + 0);
          }
        },
      ),
      { seed, numRuns: 100 },
    );
  });
});

describe('effective votes', () => {
  function effective(rows: number[][], weights: readonly number[]): number {
    const length = rows[0]!.length;
    const at = engine.reserveBytes(VOTE_COUNT * length);
    votesOf(length, rows).forEach((row, k) => engine.i8View(at + k * length, length).set(row));
    return engine.raw.effectiveVotes(at, length, 0, length, integers(weights));
  }

  it('of copies of one vote are one', () => {
    expect(
      effective(
        [
          [1, -1, 1],
          [1, -1, 1],
          [1, -1, 1],
        ],
        weigh(5, 5, 5),
      ),
    ).toBeCloseTo(1, 12);
  });

  it('of a vote and its opposite are one: each says what the other does', () => {
    expect(
      effective(
        [
          [1, -1, 1],
          [-1, 1, -1],
        ],
        weigh(5, 5),
      ),
    ).toBeCloseTo(1, 12);
  });

  it('of votes that never speak together are as many', () => {
    expect(
      effective(
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, -1],
        ],
        weigh(7, 7, 7),
      ),
    ).toBeCloseTo(3, 12);
  });

  it('leave out what has no weight and what never spoke', () => {
    expect(
      effective(
        [
          [1, 1],
          [0, 0],
          [1, -1],
        ],
        weigh(1, 1, 0),
      ),
    ).toBeCloseTo(1, 12);
    expect(effective([[0, 0]], weigh(1))).toBe(0);
  });

  it('follow the weights: a heavy vote beside a light one is hardly two', () => {
    // (9 + 1)^2 / (81 + 1)
    expect(
      effective(
        [
          [1, 0],
          [0, 1],
        ],
        weigh(3, 1),
      ),
    ).toBeCloseTo(100 / 82, 12);
  });
});

describe('the signal', () => {
  const defaults = { threshold: 0.08, step: 15, stopAtr: 1.5, targetAtr: 3, stop: 0.02, target: 0.04, mode: 0 };

  function signal(value: number, change: Partial<typeof defaults> = {}, points: number[] = [], atr = 2) {
    const { threshold, step, stopAtr, targetAtr, stop, target, mode } = { ...defaults, ...change };
    const options = engine.push(Float64Array.of(threshold, step, stopAtr, targetAtr, stop, target, mode));
    const out = engine.reserve(abi.SIGNAL_LENGTH);
    engine.raw.signal(value, 100, atr, options, engine.push(Float64Array.from(points)), points.length / 2, out);
    return [...engine.pull(out, abi.SIGNAL_LENGTH)];
  }

  it('has a direction from the threshold on, on both sides', () => {
    expect([0.08, 0.079, 0, -0.079, -0.08].map((value) => signal(value)[abi.SIGNAL_DIRECTION])).toEqual([
      1, 0, 0, 0, -1,
    ]);
  });

  it('puts stop and target on the right sides', () => {
    expect(signal(0.5).slice(abi.SIGNAL_ATR_STOP, abi.SIGNAL_RISK)).toEqual([97, 106, 98, 104]);
    expect(signal(-0.5).slice(abi.SIGNAL_ATR_STOP, abi.SIGNAL_RISK)).toEqual([103, 94, 102, 96]);
    expect(signal(0).slice(abi.SIGNAL_ATR_STOP, abi.SIGNAL_RISK)).toEqual([NaN, NaN, NaN, NaN]);
  });

  it('has a confidence that rises with the score from 0 to 1', () => {
    const values = Array.from({ length: 101 }, (_, i) => signal(i / 100)[abi.SIGNAL_RAW_CONFIDENCE]!);
    expect([values[0], values[100]]).toEqual([0, 1]);
    expect(values[50]).toBe(0.75);
    expect(values.every((value, i) => i === 0 || value > values[i - 1]!)).toBe(true);
    expect(signal(-0.5)[abi.SIGNAL_RAW_CONFIDENCE]).toBe(0.75);
  });

  it('calibrates along straight lines and stays flat beyond them', () => {
    const points = [0.25, 0.4, 0.75, 0.6];
    const of = (raw: number): number => signal(1 - Math.sqrt(1 - raw), {}, points)[abi.SIGNAL_CONFIDENCE]!;
    expect(of(0.1)).toBeCloseTo(0.4, 12);
    expect(of(0.5)).toBeCloseTo(0.5, 12);
    expect(of(0.9)).toBeCloseTo(0.6, 12);
    expect(signal(0.3)[abi.SIGNAL_CONFIDENCE]).toBe(signal(0.3)[abi.SIGNAL_RAW_CONFIDENCE]);
  });

  it.each([
    [0.005, abi.RISK_LOW],
    [0.0075, abi.RISK_STANDARD],
    [0.02, abi.RISK_HIGH],
    [0.04, abi.RISK_EXTREME],
  ])('labels a stop %d away as %i', (stop, label) => {
    expect(signal(0.5, { stop, mode: 1 })[abi.SIGNAL_RISK]).toBe(label);
  });

  it('expects the exit after stop x target over the variance of a candle', () => {
    // Distances 3 and 6, deviation 2 / 1.5958: 18 / 1.5708 candles of 15 minutes.
    expect(signal(0.5)[abi.SIGNAL_HORIZON_MINUTES]).toBeCloseTo((18 / ((2 * 2 * Math.PI) / 8)) * 15, 9);
    expect(signal(0.5, { stopAtr: 0.01, targetAtr: 0.01 })[abi.SIGNAL_HORIZON_MINUTES]).toBe(15);
    expect(signal(0.5, {}, [], 0)[abi.SIGNAL_HORIZON_MINUTES]).toBeNaN();
  });

  it('expects what a seeded random walk does', () => {
    // 4,000 walks of 60 steps a candle, with the stop 20 and the target 40 steps away.
    const uniform = mulberry(7);
    const stepSize = Math.sqrt(Math.PI / 8 / 60); // of a candle whose expected range is 1
    let steps = 0;
    for (let walk = 0; walk < 4000; walk++) {
      for (let at = 0; at > -20 && at < 40; steps++) at += uniform() < 0.5 ? 1 : -1;
    }
    const levels = { step: 1, stopAtr: 20 * stepSize, targetAtr: 40 * stepSize };
    const expected = signal(0.5, levels, [], 1)[abi.SIGNAL_HORIZON_MINUTES]!;
    expect(expected).toBeCloseTo(800 / 60, 9);
    expect(steps / 60 / 4000 / expected).toBeCloseTo(1, 1);
  });
});
