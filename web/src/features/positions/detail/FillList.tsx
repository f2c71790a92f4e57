import type { PositionView } from '../../../api/positionView.ts';
import type { PositionFill } from '../../../api/types.ts';
import { usePosition } from '../../../data/positions.ts';
import { reasonNames } from '../../../format/names.ts';
import { formatMoney, formatPrice, formatQuantity, NO_VALUE, signTone } from '../../../format/number.ts';
import { Time } from '../../../ui/Time.tsx';

const fillNames = { open: 'Opened', add: 'Added', partial_close: 'Closed a part', close: 'Closed' } as const;

/** What a market order paid per unit; null for a fill without recorded costs. A spread that was not measured is left out. */
function costsOf({ market_price: market, half_spread: spread, slippage }: PositionFill, decimals: number | undefined) {
  if (market === null || slippage === null) return null;
  const paid = spread === null ? '' : `, half spread ${formatQuantity(spread)}`;
  return `Market ${formatPrice(market, decimals)}${paid}, slippage ${formatQuantity(slippage)}`;
}

interface Props {
  position: Pick<PositionView, 'id' | 'side'>;
  decimals: number | undefined;
}

/** The fills of a position, oldest first. */
export function FillList({ position: { id, side }, decimals }: Props) {
  const fills = usePosition(id).data?.fills ?? [];
  return fills.length === 0 ? null : <FillTable fills={fills} side={side} decimals={decimals} />;
}

interface TableProps extends Pick<Props, 'decimals'>, Pick<PositionView, 'side'> {
  fills: readonly PositionFill[];
}

/** @param side of the position */
export function FillTable({ fills, side, decimals }: TableProps) {
  return (
    <table aria-label="Fills" className="table border-t border-line text-label">
      <thead>
        <tr>
          <th scope="col" className="lead">
            Fill
          </th>
          <th scope="col">Quantity</th>
          <th scope="col">Price</th>
          <th scope="col">PnL, USDT</th>
        </tr>
      </thead>
      {fills.map((fill) => (
        <FillRows key={fill.id} fill={fill} side={side} decimals={decimals} />
      ))}
    </table>
  );
}

/** The figures of a fill, and below them when and at what cost it happened. */
function FillRows({ fill, side, decimals }: Omit<TableProps, 'fills'> & { fill: PositionFill }) {
  const { kind, role, reason, at, quantity, price, fee, pnl } = fill;
  const isEntry = kind === 'open' || kind === 'add';
  const isBuy = isEntry === (side === 'LONG');
  const costs = costsOf(fill, decimals);
  return (
    <tbody className="border-t border-line first-of-type:border-0">
      <tr className="continues">
        <td className="lead wraps">
          <span className={isBuy ? 'text-up' : 'text-down'}>{isBuy ? 'Buy' : 'Sell'}</span> {fillNames[kind]}
        </td>
        <td>{formatQuantity(quantity)}</td>
        <td>{formatPrice(price, decimals)}</td>
        <td className={isEntry ? '' : signTone(pnl)}>{isEntry ? NO_VALUE : formatMoney(pnl, true)}</td>
      </tr>
      <tr>
        <td colSpan={4} className="lead wraps pb-1.5 align-top text-muted">
          <p>
            <Time at={at} hasSeconds />, {role}, fee {formatMoney(fee)} USDT
            {reason !== null && `. ${reasonNames[reason]}`}
          </p>
          {costs !== null && <p>{costs}</p>}
        </td>
      </tr>
    </tbody>
  );
}
