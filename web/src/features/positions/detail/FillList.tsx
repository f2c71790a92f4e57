import { usePosition } from '../../../data/positions.ts';
import { formatMoney, formatPrice, formatQuantity } from '../../../format/number.ts';

const fillNames = { open: 'Opened', add: 'Added', partial_close: 'Closed a part', close: 'Closed' } as const;

/** What was bought and sold, oldest first. One fill is in the figures above already. */
export function FillList({ id, decimals }: { id: string; decimals: number | undefined }) {
  const fills = usePosition(id).data?.fills ?? [];
  if (fills.length < 2) return null;
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
        {fills.map((fill) => (
          <tr key={fill.id}>
            <td className="lead">
              {fillNames[fill.kind]} <span className="text-muted">{fill.role}</span>
            </td>
            <td>{formatQuantity(fill.quantity)}</td>
            <td>{formatPrice(fill.price, decimals)}</td>
            <td>{formatMoney(fill.fee)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
