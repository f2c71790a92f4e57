import fc from 'fast-check';

/** What may happen to one person's credits. Few keys, so that replays and second settlements are frequent. */
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const credits = fc.integer({ min: 1, max: 6 });
export const ledgerCommand = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), key, credits }),
  fc.record({ kind: fc.constant('capture' as const), key }),
  fc.record({ kind: fc.constant('release' as const), key }),
  fc.record({ kind: fc.constant('buy' as const), key, credits }),
);
export type LedgerCommand = typeof ledgerCommand extends fc.Arbitrary<infer C> ? C : never;

interface ModelHold {
  credits: number;
  state: 'open' | 'captured' | 'released';
}

/** The ledger as a child would keep it: a number, the holds by key, and the purchases that were made. */
export function createModel(start: number) {
  let balance = start;
  const holds = new Map<string, ModelHold>();
  const purchases = new Set<string>();

  function settle(name: string, as: 'captured' | 'released'): string {
    const held = holds.get(name);
    if (held === undefined) return 'unknown';
    if (held.state !== 'open') return held.state;
    held.state = as;
    if (as === 'released') balance += held.credits;
    return as;
  }

  function take(name: string, amount: number): string {
    const before = holds.get(name);
    if (before !== undefined) return before.credits === amount ? 'replay' : 'conflict';
    if (balance < amount) return 'insufficient_credits';
    balance -= amount;
    holds.set(name, { credits: amount, state: 'open' });
    return 'held';
  }

  function buy(name: string, amount: number): string {
    if (purchases.has(name)) return 'replay';
    purchases.add(name);
    balance += amount;
    return 'granted';
  }

  return {
    balance: () => balance,
    apply(command: LedgerCommand): string {
      if (command.kind === 'hold') return take(command.key, command.credits);
      if (command.kind === 'buy') return buy(command.key, command.credits);
      return settle(command.key, command.kind === 'capture' ? 'captured' : 'released');
    },
  };
}
