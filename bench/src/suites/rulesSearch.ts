import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { OptimizeInput, OptimizeResult, SearchedRules } from '@sextant/workers/src/protocol/optimize.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { setCostIn } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { candleWalk } from '../../data/candles.ts';
import { cpuUs, kernelShare } from '../kernelShare.ts';
import { ratioOf, type ResultLine, rounded } from '../results.ts';
import { median } from '../statistics.ts';
import { params } from './optimizerData.ts';

const CANDLES = 1200;
const SCORED = 500;
const BASE = '15m' satisfies IntervalName;
/** Candles of a longer interval before the first one of the base: enough for every vote. */
const EARLY = 300;
const SAMPLES = { classic: 20_000, rules: 1000 };
const REPEATS = Number(process.env['RULES_REPEATS'] ?? 9);

const shared = {
  candles: candleWalk(CANDLES, 1, intervalMs[BASE]),
  params,
  costs: defaultCosts,
  scoredCount: SCORED,
  target: 'pnl',
} as const;

function contextOf(interval: IntervalName, seed: number): Candles {
  const stepMs = intervalMs[interval];
  const count = EARLY + Math.ceil((CANDLES * intervalMs[BASE]) / stepMs);
  const candles = candleWalk(count, seed, stepMs);
  return { ...candles, time: candles.time.map((openMs) => openMs - EARLY * stepMs) };
}

function rulesOf(longer: readonly IntervalName[]): SearchedRules {
  const context = longer.map((interval, i) => contextOf(interval, 2 + i));
  return { strategy: liveRules([BASE, ...longer]), context };
}

const inputOf = (seed: number, rules?: SearchedRules): OptimizeInput => ({
  ...shared,
  seed,
  samples: rules === undefined ? SAMPLES.classic : SAMPLES.rules,
  ...withoutUndefined({ rules }),
});

/** Processor time of a set, microseconds, samples and refined ones alike. */
function timeOfSet(at: TaskEngine, input: OptimizeInput): number {
  const startedUs = cpuUs();
  const outcome = runTask(at, { name: 'optimize', input });
  const tookUs = cpuUs() - startedUs;
  if (!outcome.ok) throw new Error(outcome.error.message);
  return tookUs / (outcome.value as OptimizeResult).trialCount;
}

/** Searches over rules beside one over Classic on the same candles, in turn, in one thread. */
export async function measureRulesSearch(report: (line: ResultLine) => void) {
  const at = startEngine(await loadModule());
  const lines: ResultLine[] = [];
  const add = (line: ResultLine): void => {
    lines.push(line);
    report(line);
  };
  const notes: string[] = [];
  for (const longer of [[], ['1h'], ['1h', '4h']] as const) {
    const rules = rulesOf(longer);
    const what = `sets of rules a second, ${1 + longer.length} interval${longer.length === 0 ? '' : 's'}`;
    timeOfSet(at, inputOf(0));
    timeOfSet(at, inputOf(0, rules));
    const [classic, ofRules]: [number[], number[]] = [[], []];
    for (let seed = 1; seed <= REPEATS; seed++) {
      // In turn, and each of them first in every second pair: a machine that slows down slows both.
      if (seed % 2 === 0) classic.push(timeOfSet(at, inputOf(seed)));
      ofRules.push(timeOfSet(at, inputOf(seed, rules)));
      if (seed % 2 === 1) classic.push(timeOfSet(at, inputOf(seed)));
    }
    const ratio = ratioOf(classic.map((us, i) => us / (ofRules[i] ?? Number.NaN)));
    const figure = rounded(1_000_000 / median(ofRules));
    add({ suite: 'rules-search', case: what, figure, unit: '1/s', against: 'Classic', ...ratio });
    notes.push(
      `${what}: ${rounded(1 / ratio.ratio)} sets of Classic each; searches on the server count ${setCostIn(inputOf(0, rules))}.`,
    );
    const share = kernelShare(at.engine, ['rulesSamples', 'rulesSets'], () => {
      runTask(at, { name: 'optimize', input: inputOf(1, rules) });
    });
    add({
      suite: 'rules-search',
      case: `share of the kernel, ${what.replace(' a second', '')}`,
      figure: rounded(share),
      unit: 'of 1',
    });
  }
  return { lines, notes };
}
