import { type Load, percentilesOf } from './openLoop.ts';

export interface Trial {
  ratePerS: number;
  /** p99 of the median run. */
  p99Ms: number;
  holds: boolean;
}

export interface RateSearch {
  /** Highest rate that held; 0 when not even the first did. */
  perS: number;
  /** Lowest rate above it that did not hold; null when the search ended at its own maximum. */
  failedAtPerS: number | null;
  trials: Trial[];
}

export interface RateRules {
  p99MaxMs: number;
  startPerS: number;
  maxPerS: number;
  /** Open-loop load of one rate, `attempt` 0, 1, 2. */
  run: (ratePerS: number, attempt: number) => Promise<Load>;
}

/** A trial is decided by two of three runs, so that one pause of the machine in three seconds does not fail a rate. */
const runsMax = 3;
const halvings = 4;

/**
 * The highest rate at which p99, counted from the intended start of each request, stays below the bound. Rates double until one does
 * not hold, go down by halves until one does when the first did not, and then the gap is halved. A run with a failed request does not
 * hold. It says as much of the machine as of the server: generator, server, database and stand-ins share its cores.
 */
export async function highestRate(rules: RateRules): Promise<RateSearch> {
  const trials: Trial[] = [];
  const holds = async (ratePerS: number): Promise<boolean> => {
    const trial = await tried(rules, ratePerS);
    trials.push(trial);
    return trial.holds;
  };
  let good = 0;
  let bad = Infinity;
  for (let rate = rules.startPerS; rate <= rules.maxPerS && bad === Infinity; rate *= 2) {
    if (await holds(rate)) good = rate;
    else bad = rate;
  }
  for (let rate = bad / 2; good === 0 && rate >= 1; rate /= 2) {
    if (await holds(Math.round(rate))) good = Math.round(rate);
    else bad = Math.round(rate);
  }
  for (let step = 0; step < halvings && good > 0 && bad - good > 1 && bad < Infinity; step++) {
    const middle = Math.round((good + bad) / 2);
    if (await holds(middle)) good = middle;
    else bad = middle;
  }
  return { perS: good, failedAtPerS: bad === Infinity ? null : bad, trials };
}

async function tried({ run, p99MaxMs }: RateRules, ratePerS: number): Promise<Trial> {
  const p99s: number[] = [];
  const heldCount = (): number => p99s.filter((p99) => p99 < p99MaxMs).length;
  for (let attempt = 0; attempt < runsMax; attempt++) {
    const { latenciesMs, failures } = await run(ratePerS, attempt);
    p99s.push(failures.length > 0 ? Infinity : percentilesOf(latenciesMs).p99);
    // Two of a kind decide.
    if (heldCount() === 2 || p99s.length - heldCount() === 2) break;
  }
  const holds = heldCount() === 2;
  const p99Ms = p99s
    .filter((p99) => p99 < p99MaxMs === holds)
    .reduce((a, b) => (holds ? Math.max(a, b) : Math.min(a, b)));
  return { ratePerS, p99Ms, holds };
}
