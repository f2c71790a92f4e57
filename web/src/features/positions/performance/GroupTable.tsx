import type { PositionAnalytics } from '../../../api/types.ts';
import { formatCount, formatMoney, formatPercent } from '../../../format/number.ts';
import { signTone } from '../../../format/tone.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';

interface Props {
  title: string;
  groups: PositionAnalytics['by_side'];
  /** A group's name as it is shown; its own when absent. */
  nameOf?: (name: string) => string;
}

/** Closed positions by one of their properties. */
export function GroupTable({ title, groups, nameOf }: Props) {
  if (groups.length === 0) return null;
  return (
    <Panel title={title} bodyClassName="">
      <ScrollSideways label={`${title}, table`}>
        <table className="table" aria-label={title}>
          <thead>
            <tr>
              <th className="lead" scope="col">
                {title.replace(/^By /, '').replace(/^\w/, (letter) => letter.toUpperCase())}
              </th>
              <th scope="col">Closed</th>
              <th scope="col">Won</th>
              <th scope="col">Gross, USDT</th>
              <th scope="col">Net, USDT</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, trades, wins, pnl, net_pnl: net }) => (
              <tr key={name}>
                <th className="lead" scope="row">
                  {nameOf?.(name) ?? name}
                </th>
                <td>{formatCount(trades)}</td>
                <td>{formatPercent(wins / trades)}</td>
                <td>{formatMoney(pnl, true)}</td>
                <td className={`font-medium ${signTone(net)}`}>{formatMoney(net, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}
