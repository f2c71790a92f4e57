import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import type { PositionView } from '../api/positionView.ts';
import type { AutoRun, Credits } from '../api/types.ts';

/** Each exchange's own spelling. */

const exchangesById: ReadonlyMap<string, string> = new Map(Object.entries(exchangeNames));

/** For an id of a response; an unknown id is shown unchanged. */
export const exchangeName = (id: string): string => exchangesById.get(id) ?? id;

/** The only display names of a risk tolerance. */
export const toleranceNames = { low: 'Conservative', medium: 'Moderate', high: 'Aggressive' };

/** Outcomes of automatic opening: in its table, and in the message when nothing was opened. */
export const outcomeNames: Record<AutoRun['items'][number]['outcome'], string> = {
  OPENED: 'Opened',
  FAILED: 'Failed',
  NEUTRAL: 'No direction',
  LOW_CONF: 'Confidence too low',
  ZERO_QTY: 'Too small to open',
  NO_MATCH: 'Did not qualify',
};

/** Reasons of a close, automatic or by the user. */
export const reasonNames: Record<NonNullable<PositionView['closeReason']>, string> = {
  TP: 'TP target',
  SL: 'SL stop',
  LIQ: 'LIQ liquidated',
  MANUAL: 'By hand',
  TIME: 'Holding time',
  SIGNAL: 'Opposite signal',
  DELISTED: 'Delisted',
};

type Entry = Credits['entries'][number];

/** Effect of a ledger entry on the balance. */
export const entryKinds: Record<Entry['kind'], string> = {
  grant: 'Added',
  hold: 'Reserved',
  capture: 'Spent',
  release: 'Given back',
};

/** Capitalised, as at the start of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `welcome` and `news_analysis` as text for the screen. */
export const reasonWords = (reason: string): string => capitalized(reason.replaceAll('_', ' '));
