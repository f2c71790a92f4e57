import type { PositionFill } from '../../../api/types.ts';
import { usePosition } from '../../../data/positions.ts';
import { formatMoney, formatPrice, formatQuantity } from '../../../format/number.ts';

const fillNames = { open: 'Opened', add: 'Added', partial_close: 'Closed a part', close: 'Closed' } as const;

/** What a market order paid per unit; null for a fill without recorded costs. A spread that was not measured is left out. */
function costsOf({ market_price: market, half_spread: spread, slippage }: PositionFill, decimals: number | undefined) {
  if (market === null || slippage === null) return null;
  const paid = spread === null ? '' : `, half spread ${formatQuantity(spread)}`;
  return `Market ${formatPrice(market, decimals)}${paid}, slippage ${formatQuantity(slippage)}`;
}

/** What was bought and sold, oldest first, with the costs of each market order. One fill without costs is in the figures above already. */
export function FillList({ id, decimals }: { id: string; decimals: number | undefined }) {
  const fills = usePosition(id).data?.fills ?? [];
  if (fills.length < 2 && fills.every((fill) => costsOf(fill, decimals) === null)) return null;
  return (
    <table aria-label="Fills" className="table border-t border-line text-label">
      <thead>
        <tr>
          <th scope="col" className="lead">
            Fill
          </th>
          <th scope="col">Quantity</th>
          <th scope="col">Price</th>
          <th scope="col">Fee, USDT</th>
        </tr>
      </thead>
      <tbody>
        {fills.map((fill) => {
          const costs = costsOf(fill, decimals);
          return (
            <tr key={fill.id}>
              <td className="lead wraps">
                {fillNames[fill.kind]} <span className="text-muted">{fill.role}</span>
                {costs !== null && <p className="text-muted">{costs}</p>}
              </td>
              <td>{formatQuantity(fill.quantity)}</td>
              <td>{formatPrice(fill.price, decimals)}</td>
              <td>{formatMoney(fill.fee)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
