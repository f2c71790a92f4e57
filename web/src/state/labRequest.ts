import type { IntervalName, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { proxy, ref } from 'valtio';
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

/** Either all of a run, or only its market: the rest of the setup stays as it is or was saved. */
type Requested = { kind: 'rules'; options: LabRequest } | { kind: 'market'; symbol: string };

/** What the lab has not taken yet. An open lab subscribes to it. */
export const labRequest = proxy<{ requested: Requested | null }>({ requested: null });
onUserReset(() => {
  labRequest.requested = null;
});

function request(requested: Requested): void {
  labRequest.requested = ref(requested);
}

/** Opens the lab, which runs the request. */
export function openLab(options: LabRequest): void {
  request({ kind: 'rules', options });
  openTab('backtest', 'results');
}

/** Opens the lab, which runs its setup on the symbol. */
export function openLabOn(symbol: string): void {
  request({ kind: 'market', symbol });
  openTab('backtest', 'setup');
}

/** Takes the request, once. */
export function takeLabRequest(): Requested | null {
  const { requested } = labRequest;
  labRequest.requested = null;
  return requested;
}
