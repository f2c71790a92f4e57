import fc from 'fast-check';

/** Actions of the user, the provider and the service, in any order. */
export type Command =
  | { kind: 'buy'; tokens: number }
  | { kind: 'cancel' | 'expire' | 'full' | 'half' | 'child' | 'refund' | 'refundChild' | 'replay' | 'settle' }
  | { kind: 'spend' | 'giveBack'; credits: number };
const plain = fc.constantFrom('cancel', 'expire', 'full', 'half', 'child', 'refund', 'refundChild', 'replay', 'settle');
export const paymentCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('buy' as const), tokens: fc.integer({ min: 20, max: 60 }) }),
  fc.record({ kind: plain }) as fc.Arbitrary<Command>,
  fc.record({ kind: plain }) as fc.Arbitrary<Command>,
  fc.record({ kind: fc.constantFrom('spend' as const, 'giveBack' as const), credits: fc.integer({ min: 1, max: 40 }) }),
);

interface Order {
  tokens: number;
  status: string;
  invoice: { credits: number; isRefunded: boolean };
  child: { credits: number; isRefunded: boolean };
}
export interface Model {
  apply: (command: Command) => void;
  state: () => { credits: number; owed: number; status: string | null };
}

/** A plain model of buying, cancelling, paying and refunding: one account, and the newest order. */
export function createPaymentModel(welcome: number): Model {
  let [credits, owed, held] = [welcome, 0, 0];
  let order: Order | null = null;
  const settle = (): void => {
    const paid = Math.min(credits, owed);
    [credits, owed] = [credits - paid, owed - paid];
  };
  const receive = (target: number, of: Order['invoice'], to: Order): void => {
    if (of.isRefunded || target <= of.credits) return;
    credits += target - of.credits;
    of.credits = target;
    to.status = 'COMPLETED';
    settle();
  };
  const refund = (of: Order['invoice'], from: Order): void => {
    if (of.isRefunded) return;
    of.isRefunded = true;
    owed += of.credits;
    settle();
    const left = [from.invoice, from.child].reduce((sum, each) => sum + (each.isRefunded ? 0 : each.credits), 0);
    from.status = left > 0 ? 'COMPLETED' : 'REFUNDED';
  };
  const none = () => ({ credits: 0, isRefunded: false });
  const end = (status: string) => (to: Order) => {
    if (to.status === 'PENDING') to.status = status;
  };
  /** Applies one event to the newest order. */
  const happenings: Partial<Record<Command['kind'], (to: Order) => void>> = {
    full: (to) => receive(to.tokens, to.invoice, to),
    half: (to) => receive(Math.floor(to.tokens / 2), to.invoice, to),
    child: (to) => receive(7, to.child, to),
    refund: (to) => refund(to.invoice, to),
    refundChild: (to) => refund(to.child, to),
    cancel: end('CANCELLED'),
    expire: end('EXPIRED'),
  };
  return {
    state: () => ({ credits, owed, status: order?.status ?? null }),
    apply: (command) => {
      if (command.kind === 'buy' && order?.status !== 'PENDING')
        order = { tokens: command.tokens, status: 'PENDING', invoice: none(), child: none() };
      if (command.kind === 'spend' && owed === 0 && credits >= command.credits)
        [credits, held] = [credits - command.credits, command.credits];
      if (command.kind === 'giveBack') [credits, held] = [credits + held, 0];
      if (command.kind === 'settle') settle();
      if (order !== null) happenings[command.kind]?.(order);
    },
  };
}
