import type { ShockOutcome } from '@sextant/workers/src/protocolPositions.ts';
import { formatFixed, formatMoney } from '../../../format/number.ts';
import { signTone } from '../../../format/tone.ts';
import type { BothWays } from './useShock.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';

const ends = { TP: 'target', SL: 'stopped', LIQ: 'liquidated', TIME: 'time', END: 'end' } as const;

/** Each position's own way, one line each. */
export function ShockRows({ result: { walked, down, up, settings } }: { result: BothWays }) {
  return (
    <details>
      <summary className="cursor-pointer text-label text-muted">Each position</summary>
      <ScrollSideways label="Positions in the shock">
        <table className="table" aria-label="Each position in the shock">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Position
              </th>
              <th scope="col">Beta</th>
              <th scope="col">Down, USDT</th>
              <th scope="col">Up, USDT</th>
            </tr>
          </thead>
          <tbody>
            {walked.map(({ marked: { position }, beta }, at) => (
              <tr key={position.id}>
                <th className="lead" scope="row">
                  {position.symbol} {position.side}
                  {position.trailing?.mode === 'atr' && <StaysNote />}
                </th>
                <td title={beta === null ? 'Not enough candles: it moves with the market' : `n = ${beta.count} hours`}>
                  {beta === null ? (settings.isByBeta ? 'none, as BTC' : 'none') : formatFixed(beta.value, 2)}
                </td>
                <OutcomeCell outcome={down.outcomes[at]} />
                <OutcomeCell outcome={up.outcomes[at]} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </details>
  );
}

/** What the figures mean: docs/architecture.md, "Market shock". */
function StaysNote() {
  const text = 'Its ATR trailing stop stays in place here: past ranges say little about a shock.';
  return (
    <span
      className="font-normal text-muted"
      title={text}
      tabIndex={0}
      aria-label={`ATR stop stays. ${text}`}
      role="note"
    >
      {' '}
      ATR stop stays
    </span>
  );
}

function OutcomeCell({ outcome }: { outcome: ShockOutcome | undefined }) {
  if (outcome === undefined) return <td />;
  return (
    <td>
      <span className={signTone(outcome.pnl)}>{formatMoney(outcome.pnl, true)}</span>
      {outcome.closeReason !== null && <span className="text-muted"> {ends[outcome.closeReason]}</span>}
    </td>
  );
}
