import type { TuningWeights } from '@sextant/workers/src/signalRules.ts';

/** The names the client knows tuning by, and those of the wire. */
export const tuningNames = {
  adx: 'adx',
  supertrend: 'supertrend',
  emaCross: 'ema_cross',
  smaCross: 'sma_cross',
  pivot: 'pivot',
  vwap: 'vwap',
  mfi: 'mfi',
  donchian: 'donchian',
  ichAlign: 'ich_align',
  ichCloud: 'ich_cloud',
  news: 'news',
} as const satisfies Record<string, keyof TuningWeights>;

export type TuningName = keyof typeof tuningNames;
/** A factor on the weight of each vote, 0.5 to 1.5 in steps of 0.05. */
export type TuningView = Record<TuningName, number>;

export const tuningKeys = Object.keys(tuningNames) as TuningName[];

const view = (of: (name: TuningName) => number): TuningView =>
  Object.fromEntries(tuningKeys.map((name) => [name, of(name)])) as TuningView;

export const tuningView = (weights: Readonly<TuningWeights>): TuningView => view((name) => weights[tuningNames[name]]);

/** Every weight of a preset. */
export const evenly = (value: number): TuningView => view(() => value);

export const tuningWire = (shown: Readonly<TuningView>): TuningWeights =>
  Object.fromEntries(tuningKeys.map((name) => [tuningNames[name], shown[name]])) as TuningWeights;
