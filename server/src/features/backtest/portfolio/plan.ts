import { type IntervalName, intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { limitsOfAuto } from '@sextant/workers/src/signals/autoLimits.ts';
import type { PortfolioLimits } from '@sextant/workers/src/protocol/portfolio.ts';
import { LIVE_RULES, ownRulesOf, withEveryVote } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { PortfolioLimitsWire } from '@sextant/workers/src/protocol/wire/portfolio.ts';
import { problemText } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { checkValues, strategyOfSet } from '@sextant/workers/src/tasks/portfolio/setStrategy.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { type ConfidenceBases, type ConfidenceBasis, unmeasured } from '../../signals/confidenceBasis.ts';
import { checkStoredRules } from '../../signals/storedRules.ts';
import { baseOfAuto, liveRulesOfAuto, thresholdOfAuto } from './autoAccount.ts';
import type { Auto } from './autoOf.ts';
import type { PortfolioBody } from './contract.ts';

/** What runs: the strategy and the account of a request, completed by the settings of its user. */
export interface Plan {
  interval: IntervalName;
  strategy: Strategy;
  strategyName: string | null;
  limits: Required<PortfolioLimits>;
  costs: PortfolioBody['costs'];
  /** Margin of the largest position, USDT; absent: the notional of the costs. */
  baseUsdt?: number;
  isAuto: boolean;
  notes: string[];
}

interface Decider {
  value: Strategy;
  name: string | null;
  /** Saved or sent: the limits of confidence apply to its score only if the user says so. */
  isSaved: boolean;
  /** Its measured chances. */
  bases?: readonly ConfidenceBasis[];
  notes: string[];
}

export function planOf(body: PortfolioBody, auto: Auto, confidences: Pick<ConfidenceBases, 'of'>): Outcome<Plan> {
  const decider = deciderOf(body, auto);
  if (!decider.ok) return decider;
  const { name, isSaved, bases = [], notes } = decider.value;
  const { set = {} } = body;
  const decided = withSet(decider.value.value, set);
  if (!decided.ok) return decided;
  const { value } = decided;
  const interval = value.intervals[0]?.interval ?? '1h';
  const { settings } = auto;
  const isAuto = body.asAuto ?? body.limits === undefined;
  const limits = body.limits ?? (isAuto ? limitsOfAuto(settings) : PortfolioLimitsWire.parse({}));
  const shared = { interval, strategyName: name, limits, isAuto };
  if (!isAuto) return ok({ ...shared, strategy: value, costs: body.costs, notes: [] });
  const basis = isSaved
    ? (bases.find((each) => each.interval === interval) ?? unmeasured(interval))
    : confidences.of(interval);
  const { threshold, notes: ofThreshold } =
    set.entryThreshold === undefined
      ? thresholdOfAuto(value, settings, { basis, isSaved })
      : { threshold: set.entryThreshold, notes: [setNote] };
  const baseUsdt = baseOfAuto(settings);
  const { leverage } = settings;
  return ok({
    ...shared,
    strategy: { ...value, entryThreshold: threshold },
    baseUsdt,
    costs: { ...body.costs, initialEquity: settings.balance_usdt, leverage, notional: baseUsdt * leverage },
    notes: [...notes, ...ofThreshold],
  });
}

/** The strategy with the levels of a set, or own rules with its values. */
function withSet(strategy: Strategy, { values, ...levels }: NonNullable<PortfolioBody['set']>): Outcome<Strategy> {
  if (Object.keys(levels).length > 0 && strategy.rules !== undefined)
    return reject('validation_failed', 'set must have values alone: own rules have their exits in their text', {
      field: 'set',
    });
  const named = checkValues(strategy, values);
  if (!named.ok) {
    const { message, field = '' } = named.error;
    return reject('validation_failed', `set.${message}`, { field: `set.${field}` });
  }
  return ok(strategyOfSet(strategy, { strategy: levels, ...withoutUndefined({ values }) }));
}

const setNote = 'The threshold of the set replaces your minimum confidence.';

/** The strategy of the request; else the saved one that Auto trades, else Live rules. */
function deciderOf({ strategy, rules, interval }: PortfolioBody, auto: Auto): Outcome<Decider> {
  if (strategy !== undefined) return ok({ value: strategy, name: null, isSaved: true, notes: [] });
  if (rules !== undefined) {
    const compiled = ownRulesOf(rules, interval ?? '1h');
    if (!compiled.ok)
      return reject('validation_failed', `rules: ${problemText(compiled.error[0])}`, { field: 'rules' });
    return ok({ value: compiled.value, name: null, isSaved: true, notes: [] });
  }
  const { settings, tuning, strategy: used, strategyBases } = auto;
  if (used !== undefined) {
    const isRunnable = checkStoredRules(used);
    if (!isRunnable.ok) return isRunnable;
    const base = used.value.intervals[0]?.interval;
    if (interval !== undefined && interval !== base)
      return reject('validation_failed', `Auto trades ${used.name} on ${base ?? ''}. Use that interval.`, {
        field: 'interval',
      });
    return ok({ value: withEveryVote(used.value), name: used.name, isSaved: true, bases: strategyBases, notes: [] });
  }
  const base = interval ?? '1h';
  const chosen = signalIntervals.filter((name) => settings.interval_opts[name]);
  const longer = chosen.filter((name) => intervalMs[name] > intervalMs[base]);
  const { value, notes } = liveRulesOfAuto(settings, tuning, base, longer);
  const others = chosen.filter((name) => name !== base);
  const more =
    others.length === 0 ? [] : [`Auto also trades ${others.join(' and ')}; this run enters on ${base} only.`];
  return ok({ value, name: LIVE_RULES, isSaved: false, notes: [...notes, ...more] });
}
