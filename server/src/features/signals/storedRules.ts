import { BACKGROUND_CANDLES_MAX, findExcess } from '@sextant/workers/src/candles/strategyCandles.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { compiledRules, isOwnRules, problemText } from '@sextant/workers/src/rules/strategyOfRules.ts';
import type { ChosenStrategy } from '@sextant/workers/src/signals/signalRules.ts';
import { countText } from '../../platform/countText.ts';
import { type Outcome, reject } from '../../platform/errors.ts';

/**
 * Whether a saved strategy still runs: the language of own rules may have changed since its text was stored.
 * @returns `conflict` with line, column, message and fix of the first error, field `strategy`
 */
export function checkStoredRules({ name, value }: Pick<ChosenStrategy, 'name' | 'value'>): Outcome<null> {
  if (!isOwnRules(value)) return ok(null);
  const compiled = compiledRules(value);
  if (!compiled.ok) return rejectRules(name, problemText(compiled.error[0]));
  const longer = value.intervals.slice(1).map(({ interval }) => interval);
  const own = compiled.value.program.intervals;
  return longer.join() === own.join()
    ? ok(null)
    : rejectRules(name, `the text reads ${own.join(', ') || 'no interval'}`);
}

/** As `checkStoredRules`, and whether the strategy reads few enough candles for an alert. */
export function checkAlertRules(strategy: Pick<ChosenStrategy, 'name' | 'value'>): Outcome<null> {
  const isRunnable = checkStoredRules(strategy);
  if (!isRunnable.ok) return isRunnable;
  const excess = findExcess(strategy.value);
  if (excess === undefined) return ok(null);
  const [count, most] = [excess.count, BACKGROUND_CANDLES_MAX].map(countText);
  const message = `${strategy.name} reads ${count} ${excess.interval} candles at each close, an alert at most ${most}. Shorten its averages in the lab.`;
  return reject('conflict', message, { field: 'strategy' });
}

const rejectRules = (name: string, why: string): Outcome<never> =>
  reject('conflict', `${name} no longer compiles: ${why}. Correct and save it in the lab, or select other rules.`, {
    field: 'strategy',
  });
