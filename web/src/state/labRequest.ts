import type { IntervalName, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { openTab } from './navigation.ts';
import { onUserReset } from './userReset.ts';

/** A run that another part of the page requests from the lab: the scanner's rules on a market, as they made a signal. */
export interface LabRequest {
  symbol: string;
  interval: (typeof signalIntervals)[number];
  /** Factor on the weight of each vote by id; null: the tuning of the account. */
  tuning: Readonly<Record<string, number>> | null;
  /** The longer intervals that vote beside it. */
  longer: readonly IntervalName[];
  /** Part of the balance that a trade may lose at its stop. */
  riskFraction: number;
  leverage: number;
  /** The saved strategy that decided; null: Live rules, with the fields above. */
  strategy: { name: string; value: Strategy } | null;
}

let options: LabRequest | null = null;
onUserReset(() => {
  options = null;
});

/** Opens the lab, which runs the request. */
export function openLab(requested: LabRequest): void {
  options = requested;
  openTab('backtest', 'results');
}

/** Takes the request, once. */
export function takeLabRequest(): LabRequest | null {
  const taken = options;
  options = null;
  return taken;
}
