import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { defaultParameters, indicatorEntry, registry } from '@sextant/engine-as/abi/registry.ts';
import type {
  AlertChannel,
  alertDirections,
  AlertCondition,
  AlertKind,
  ChangeDirection,
  Comparison,
} from '@sextant/workers/src/alerts/conditions.ts';
import type { Alert, AlertBody, IntervalName } from '../../api/types.ts';
import type { Exchange } from '../../data/market.ts';

/** The form of an alert: fields of every kind, so that a change of the kind loses nothing. */
export interface AlertDraft {
  kind: AlertKind;
  exchange: Exchange;
  symbol: string;
  when: Comparison;
  level: number;
  /** The last price, put in as level; null: none was. */
  prefilled: number | null;
  minutes: number;
  pct: number;
  change: ChangeDirection;
  interval: IntervalName;
  indicator: string;
  params: Record<string, number>;
  output: string;
  /** Empty: the rules of live signals. */
  strategyId: string;
  signal: (typeof alertDirections)[number];
  buy: Exchange;
  sell: Exchange;
  netPct: number;
  /** Hours that a spread is held; the form has no field for it. */
  holdHours: number;
  ratePct: number;
  positionId: string;
  distancePct: number;
  isHighImpact: boolean;
  expression: string;
  repeats: boolean;
  pauseMinutes: number;
  channels: AlertChannel[];
  note: string;
  /** ISO time, or empty: never. */
  expiresAt: string;
}

/** Indicators whose values do not depend on where the candles start. */
export const alertIndicators = registry.filter(({ memory, alias }) => memory !== 'cumulative' && alias === undefined);

const first: AlertDraft = {
  kind: 'price',
  exchange: 'binance',
  symbol: 'BTCUSDT',
  when: 'cross',
  level: 0,
  prefilled: null,
  minutes: 15,
  pct: 2,
  change: 'either',
  interval: '1h',
  indicator: 'rsi',
  params: {},
  output: 'rsi',
  strategyId: '',
  signal: 'any',
  buy: venueIds[0],
  sell: venueIds[1],
  netPct: 0.2,
  holdHours: 8,
  ratePct: 0.05,
  positionId: '',
  distancePct: 5,
  isHighImpact: false,
  expression: 'rsi(14) < 30',
  repeats: false,
  pauseMinutes: 60,
  channels: ['page'],
  note: '',
  expiresAt: '',
};

/** The fields that a condition sets. */
function fieldsOf(condition: Partial<AlertCondition>): Partial<AlertDraft> {
  const { kind = 'price', ...rest } = condition;
  const fields: Record<string, unknown> = { ...rest, kind };
  const renamed: Record<string, keyof AlertDraft> = {
    rate_pct: 'ratePct',
    net_pct: 'netPct',
    hold_hours: 'holdHours',
    distance_pct: 'distancePct',
    position_id: 'positionId',
    high_impact: 'isHighImpact',
  };
  for (const [from, to] of Object.entries(renamed)) if (from in fields) fields[to] = fields[from];
  if (kind === 'change') fields['change'] = fields['direction'] ?? 'either';
  if (kind === 'signal') {
    fields['signal'] = fields['direction'] ?? 'any';
    fields['strategyId'] = fields['strategy_id'] ?? '';
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in first));
}

export const draftOf = (condition: Partial<AlertCondition> = {}): AlertDraft => ({ ...first, ...fieldsOf(condition) });

export const draftOfAlert = (alert: Alert): AlertDraft => ({
  ...draftOf(alert.condition),
  repeats: alert.repeats,
  pauseMinutes: alert.pause_minutes,
  channels: [...alert.channels],
  note: alert.note ?? '',
  expiresAt: alert.expires_at ?? '',
});

/** The form with changed fields. A level that was put in and not typed does not stay for another market: 0 waits for its price. */
export function editDraft(before: AlertDraft, fields: Partial<AlertDraft>): AlertDraft {
  const { symbol, exchange } = before;
  const next = { ...before, ...fields };
  const isOtherMarket = next.symbol !== symbol || next.exchange !== exchange;
  const isUntyped = fields.level === undefined && before.level === before.prefilled;
  return isOtherMarket && isUntyped ? { ...next, level: 0, prefilled: null } : next;
}

/** The fields that a newly chosen indicator sets. */
export function indicatorFields(id: string): Pick<AlertDraft, 'indicator' | 'params' | 'output'> {
  const entry = indicatorEntry(id);
  return {
    indicator: id,
    params: entry === undefined ? {} : { ...defaultParameters(entry) },
    output: entry?.outputs[0]?.name ?? id,
  };
}

function conditionOfDraft(draft: AlertDraft): AlertCondition {
  const { kind, exchange, symbol, when, level, interval } = draft;
  const place = { exchange, symbol: symbol.trim().toUpperCase() };
  switch (kind) {
    case 'price':
      return { kind, ...place, when, level };
    case 'change':
      return { kind, ...place, minutes: draft.minutes, pct: draft.pct, direction: draft.change };
    case 'indicator': {
      const { indicator, params, output } = draft;
      return { kind, ...place, interval, indicator, params, output, when, level };
    }
    case 'signal':
      return {
        kind,
        ...place,
        interval,
        strategy_id: draft.strategyId === '' ? null : draft.strategyId,
        direction: draft.signal,
      };
    case 'spread': {
      const { buy, sell, netPct, holdHours } = draft;
      return { kind, symbol: place.symbol, buy, sell, net_pct: netPct, hold_hours: holdHours };
    }
    case 'funding':
      return { kind, ...place, when, rate_pct: draft.ratePct };
    case 'liquidation':
      return { kind, position_id: draft.positionId, distance_pct: draft.distancePct };
    case 'news':
      return { kind, symbol: place.symbol, high_impact: draft.isHighImpact };
    case 'formula':
      return { kind, ...place, interval, expression: draft.expression };
  }
}

export const bodyOfDraft = (draft: AlertDraft): AlertBody => ({
  condition: conditionOfDraft(draft),
  repeats: draft.repeats,
  pause_minutes: draft.pauseMinutes,
  channels: draft.channels,
  note: draft.note.trim() === '' ? null : draft.note.trim(),
  expires_at: draft.expiresAt === '' ? null : draft.expiresAt,
});

/** A change of an alert. One that has ended, or has another condition, watches again; a paused one stays paused. */
export function changeOfDraft(draft: AlertDraft, alert: Alert): Partial<AlertBody> & { state?: 'active' } {
  const body = bodyOfDraft(draft);
  const before = bodyOfDraft(draftOfAlert(alert));
  const hasEnded = alert.state !== 'active' && alert.state !== 'paused';
  const isOther = JSON.stringify(body.condition) !== JSON.stringify(before.condition);
  if (hasEnded || isOther) return { ...body, state: 'active' };
  // A contract that has ended is no condition for a new alert, but a note can be added.
  const { condition: _, ...rest } = body;
  return rest;
}
