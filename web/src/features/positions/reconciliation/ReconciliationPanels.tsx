import { useReconciliation, useReconciliations } from '../../../data/positions.ts';
import type { PositionView } from '../../../api/positionView.ts';
import type { ReconciliationSums } from '../../../api/types.ts';
import { reasonNames } from '../../../format/names.ts';
import { formatCount, formatMoney, formatPrice, formatQuantity, signTone } from '../../../format/number.ts';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';
import {
  causeNames,
  differenceText,
  forecastText,
  type FundingForecast,
  partsBySize,
  partsShown,
  reasonTexts,
} from './reconciliationTexts.ts';

const TITLE = 'Live against the test';

type Totals = ReconciliationSums['all'];
type Results = Pick<Totals, 'lab_net' | 'live_net' | 'difference' | 'parts' | 'rest'>;

interface Props {
  /** Id of a closed position. */
  id: string;
  side: PositionView['side'];
  decimals: number | undefined;
}

/** Why the result of a closed automatic position differs from its test; nothing for one opened by hand. */
export function ReconciliationPanel({ id, side, decimals }: Props) {
  const response = useReconciliation(id);
  const { data } = response;
  if (data?.state === 'by_hand' || data?.state === 'open') return null;
  return (
    <Panel title={TITLE} aside="USDT, net" bodyClassName="">
      <Loaded response={response} failure="Could not load the comparison." rows={4}>
        {({ state, reason, comparison }) => {
          if (state === 'pending') return <EmptyState text="Compared a few minutes after the close." />;
          if (comparison === null)
            return <EmptyState text={`No comparison. ${reason === null ? '' : reasonTexts[reason]}`} />;
          const { lab } = comparison;
          return (
            <>
              <Difference results={comparison} side={side} forecast={comparison.funding_forecast} />
              <p className="border-t border-line px-3 py-2 text-label text-muted">
                Test: {formatQuantity(lab.quantity)} at {formatPrice(lab.entry_price, decimals)} (
                <Time at={lab.entered_at} />) to {formatPrice(lab.exit_price, decimals)} (<Time at={lab.exited_at} />
                ), {lab.exit_reason === null ? 'still open at the close' : reasonNames[lab.exit_reason]}
              </p>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** The same of all closed automatic positions, by cause and by strategy. */
export function ReconciliationSumsPanel() {
  const response = useReconciliations();
  return (
    <Panel title={TITLE} aside="automatic positions, USDT, net" bodyClassName="">
      <Loaded response={response} failure="Could not load the comparison." rows={4}>
        {({ all, by_strategy: strategies, not_comparable: rejected }) => (
          <>
            {all.count === 0 ? (
              <EmptyState text="No closed automatic position to compare yet." />
            ) : (
              <Difference results={all} count={all.count} />
            )}
            {strategies.length > 1 && <StrategyTable strategies={strategies} />}
            {rejected.length > 0 && (
              <ul className="border-t border-line px-3 py-2 text-label text-muted" aria-label="Not compared">
                {rejected.map(({ reason, count }) => (
                  <li key={reason}>
                    {formatCount(count)} not compared: {reasonTexts[reason]}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** The difference in one sentence, then its causes with bars from zero, largest first. */
function Difference({
  results,
  count = 1,
  side,
  forecast = null,
}: {
  results: Results;
  count?: number;
  /** Side of a single position. */
  side?: PositionView['side'];
  /** Error of the announced funding rates, shown beside the funding. */
  forecast?: FundingForecast;
}) {
  const { difference, parts, rest, lab_net: lab, live_net: live } = results;
  const shown = partsShown(parts, forecast);
  const largest = Math.max(1e-9, ...shown.map(({ amount }) => Math.abs(amount)));
  return (
    <>
      <p className="px-3 py-2 font-medium">{differenceText(difference, parts, count)}</p>
      <ScrollSideways label={`${TITLE}, table`}>
        <table className="table" aria-label="Difference by cause">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Cause
              </th>
              <th scope="col">USDT</th>
              <th scope="col" className="w-2/5 max-md:hidden">
                Less, more
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th className="lead" scope="row">
                Test
              </th>
              <td>{formatMoney(lab, true)}</td>
              <td className="max-md:hidden" />
            </tr>
            {shown.map(({ cause, amount }) => (
              <tr key={cause}>
                <th className="lead" scope="row">
                  {causeNames[cause]}
                  {cause === 'funding' && forecast !== null && side !== undefined && (
                    <span className="block text-label font-normal text-muted">{forecastText(forecast, side)}</span>
                  )}
                </th>
                <td className={signTone(amount)}>{formatMoney(amount, true)}</td>
                <td className="max-md:hidden">
                  <PartBar fraction={amount / largest} />
                </td>
              </tr>
            ))}
            {rest !== 0 && (
              <tr>
                <th className="lead text-warn" scope="row">
                  Without a cause
                </th>
                <td className="text-warn">{formatMoney(rest, true)}</td>
                <td className="max-md:hidden" />
              </tr>
            )}
            <tr className="font-medium">
              <th className="lead" scope="row">
                Live
              </th>
              <td>{formatMoney(live, true)}</td>
              <td className="max-md:hidden" />
            </tr>
          </tbody>
        </table>
      </ScrollSideways>
    </>
  );
}

/** @param fraction of half the width, -1 to 1 */
function PartBar({ fraction }: { fraction: number }) {
  const width = `${Math.abs(fraction) * 50}%`;
  const place = fraction < 0 ? { right: '50%', width } : { left: '50%', width };
  return (
    <span aria-hidden="true" className="relative block h-2.5 w-full">
      <span className="absolute inset-y-0 left-1/2 w-px bg-line" />
      <span className={`absolute inset-y-0 ${fraction < 0 ? 'bg-down' : 'bg-up'}`} style={place} />
    </span>
  );
}

function StrategyTable({ strategies }: { strategies: readonly Totals[] }) {
  return (
    <ScrollSideways label="Live against the test by strategy, table">
      <table className="table" aria-label="Difference by strategy">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Strategy
            </th>
            <th scope="col">Positions</th>
            <th scope="col">Test</th>
            <th scope="col">Live</th>
            <th scope="col">Difference</th>
            <th scope="col">Largest cause</th>
          </tr>
        </thead>
        <tbody>
          {strategies.map(({ name, count, lab_net: lab, live_net: live, difference, parts }) => {
            const [main] = partsBySize(parts);
            return (
              <tr key={name}>
                <th className="lead" scope="row">
                  {name}
                </th>
                <td>{formatCount(count)}</td>
                <td>{formatMoney(lab, true)}</td>
                <td>{formatMoney(live, true)}</td>
                <td className={`font-medium ${signTone(difference)}`}>{formatMoney(difference, true)}</td>
                <td>{main === undefined ? 'none' : causeNames[main.cause]}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollSideways>
  );
}
