import { createHash } from 'node:crypto';
import { neutralTuning, rulesOf } from '@sextant/workers/src/signalRules.ts';

/**
 * Version of the rules that make live signals: it follows from weights, threshold and levels, so it changes when one of them does. The
 * tuning of a user is no part of it: outcomes of one set of weights are too few to learn from.
 */
export const STRATEGY_VERSION = `live-${createHash('sha256')
  .update(JSON.stringify(rulesOf(neutralTuning)))
  .digest('hex')
  .slice(0, 12)}`;
