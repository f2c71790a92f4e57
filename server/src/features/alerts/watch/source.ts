import type { ValueBar } from '@sextant/workers/src/alerts/decide.ts';
import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import type { EvidenceBasis } from '@sextant/workers/src/alerts/recompute.ts';

/** Receives the values of the sources. */
export interface ValueSink {
  /** @param basis is called only when the value changes an alert */
  value: (key: string, value: number, atMs: number, basis?: () => EvidenceBasis) => void;
  candle: (key: string, openMs: number, closeMs: number, bar: ValueBar) => void;
  /** No alert on this value can fire any more. */
  stop: (key: string, reason: string) => void;
  warn: (error: unknown) => void;
}

/** What an alert compares. Alerts with the same key share it. */
export interface WantedValue {
  key: string;
  condition: AlertCondition;
  userId: string;
  /** Exchange time from which on the value counts, epoch ms. */
  sinceMs: number;
}

/** Values of some kinds of conditions. Each wanted value is delivered until it is dropped. */
export interface ValueSource {
  want: (wanted: WantedValue) => void;
  drop: (key: string) => void;
  /** Ends everything that runs; resolves when it has. */
  close: () => Promise<void>;
}

/** Name of the value that a condition compares. Equal names are equal values; a formula is computed in the name of its owner. */
export function keyOf(condition: AlertCondition, userId: string): string {
  switch (condition.kind) {
    case 'price':
    case 'funding':
      return `${condition.kind} ${condition.exchange} ${condition.symbol}`;
    case 'change':
      return `change ${condition.exchange} ${condition.symbol} ${condition.minutes} ${condition.direction === 'either' ? 'either' : 'signed'}`;
    case 'indicator': {
      const params = Object.entries(condition.params)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}=${value}`);
      return `indicator ${condition.exchange} ${condition.symbol} ${condition.interval} ${condition.indicator} ${params.join()} ${condition.output}`;
    }
    case 'formula':
      return `formula ${userId} ${condition.exchange} ${condition.symbol} ${condition.interval} ${condition.expression}`;
    case 'signal':
      return `signal ${condition.exchange} ${condition.symbol} ${condition.interval} ${condition.strategy_id ?? 'live'} ${condition.direction}`;
    case 'spread':
      return `spread ${condition.symbol} ${condition.buy} ${condition.sell} ${condition.hold_hours}`;
    case 'liquidation':
      return `liquidation ${condition.position_id}`;
    case 'news':
      return `news ${condition.symbol} ${condition.high_impact ? 'high' : 'all'}`;
  }
}
