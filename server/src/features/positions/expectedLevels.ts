import type { ChangeBody, PositionWire } from './contract.ts';

/** Levels as a client saw them, or as they are. */
export type SeenLevels = NonNullable<ChangeBody['expected']>;
type Target = NonNullable<NonNullable<SeenLevels['take_profits']>[number]>;

/** Shares are normalised by their sum, so that they may differ by rounding. */
const SHARES_NOISE = 1e-6;

export const levelsOf = ({
  stop_loss,
  take_profit,
  take_profits,
}: Pick<PositionWire, 'stop_loss' | 'take_profit' | 'take_profits'>) => ({ stop_loss, take_profit, take_profits });

const targetsOf = ({ take_profit: price, take_profits: targets }: SeenLevels): Target[] =>
  targets ?? [{ price, fraction: 1 }];

const isSame = (a: Target, b: Target | undefined): boolean =>
  a.price === b?.price && Math.abs(a.fraction - b.fraction) <= SHARES_NOISE;

const shareText = ({ price, fraction }: Target): string => `${price} (${Number((fraction * 100).toFixed(2))} %)`;

/** What differs from the levels that a client saw, as `the stop is 98, target 2 is 110 (30 %)`; null when nothing does. */
export function describeMoved(expected: SeenLevels, present: SeenLevels): string | null {
  const [seen, now] = [targetsOf(expected), targetsOf(present)];
  const isStopMoved = expected.stop_loss !== present.stop_loss;
  const isFirstMoved = expected.take_profit !== present.take_profit;
  const moved =
    expected.take_profits === undefined
      ? []
      : now.flatMap((target, at) => (isSame(target, seen[at]) ? [] : [`target ${at + 1} is ${shareText(target)}`]));
  const isCountOther = expected.take_profits !== undefined && seen.length !== now.length;
  if (!isStopMoved && !isFirstMoved && !isCountOther && moved.length === 0) return null;
  const stop = `the stop is ${present.stop_loss}`;
  if (now.length === 1 || expected.take_profits === undefined) return `${stop}, the target ${present.take_profit}`;
  const parts = isCountOther ? [`the targets are ${now.map(shareText).join(', ')}`] : moved;
  const all = [...(isStopMoved ? [stop] : []), ...parts];
  return all.length === 0 ? `the first target is ${present.take_profit}` : all.join(', ');
}
