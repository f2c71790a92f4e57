import { createHash } from 'node:crypto';
import { neutralTuning, rulesOf } from '@sextant/workers/src/signals/signalRules.ts';

/**
 * Version of the rules of live signals, derived from weights, threshold and levels, so that it changes with any of them. Excludes the
 * user's tuning: one set of weights has too few outcomes to learn from.
 */
export const STRATEGY_VERSION = `live-${createHash('sha256')
  .update(JSON.stringify(rulesOf(neutralTuning)))
  .digest('hex')
  .slice(0, 12)}`;
