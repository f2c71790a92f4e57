import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import type { PositionView, TrailingView } from '../../../api/positionView.ts';
import { formatCount, formatMoney, formatPrice } from '../../../format/number.ts';
import { signTone } from '../../../format/tone.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Time } from '../../../ui/Time.tsx';
import { reasonNames } from '../table/reasonNames.ts';
import { runWhatIf, type WhatIfAnswer } from './runWhatIf.ts';
import { type Ending, type WhatIf, whatIfOf } from './scenario.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';

const modes = ['off', 'percent', 'atr'] as const;
const modeNames = { off: 'No trailing', percent: 'Percent', atr: 'ATR' };
const standards: Record<(typeof modes)[number], TrailingView | null> = {
  off: null,
  percent: { mode: 'percent', callbackPct: 0.5, stepPct: 0.25, activationPct: 0 },
  atr: { mode: 'atr', atrMultiplier: 2, atrPeriod: 14, activationPct: 0 },
};

interface Props {
  position: PositionView;
  decimals: number | undefined;
}

/** A closed position replayed with another stop, target or trailing, by the engine of this browser on the candles of its life. */
export function WhatIfPanel({ position, decimals }: Props) {
  const [change, setChange] = useState<WhatIf>(() => whatIfOf(position));
  const run = useMutation({ mutationFn: () => runWhatIf(position, change, Date.now()) });
  const edit = (part: Partial<WhatIf>) => setChange((before) => ({ ...before, ...part }));
  return (
    <Panel title="What if" aside="replayed here, on one-minute candles" bodyClassName="flex flex-col gap-3 p-3">
      <form
        aria-label="What if"
        noValidate
        className="grid grid-cols-2 items-start gap-3 md:grid-cols-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <NumberField
          label="Stop (%)"
          hint="from the entry"
          {...{ min: 0.05, max: 50, step: 0.1, decimals: 3, unit: '%' }}
          value={change.stopPct}
          onChange={(stopPct) => edit({ stopPct })}
        />
        <NumberField
          label="Target (%)"
          hint="from the entry"
          {...{ min: 0.05, max: 100, step: 0.1, decimals: 3, unit: '%' }}
          value={change.targetPct}
          onChange={(targetPct) => edit({ targetPct })}
        />
        <TrailingFields trailing={change.trailing} onChange={(trailing) => edit({ trailing })} />
        <div className="col-span-2 flex gap-2 md:col-span-4">
          <button type="submit" className="btn btn-primary" disabled={run.isPending}>
            {run.isPending ? 'Replaying' : 'Replay'}
          </button>
          <button type="button" className="btn" disabled={run.isPending} onClick={() => setChange(whatIfOf(position))}>
            As it was
          </button>
        </div>
      </form>
      {run.error !== null && (
        <Notice tone="error">{messageOf(run.error, 'It could not be replayed. Try again.')}</Notice>
      )}
      {run.data !== undefined && <Comparison answer={run.data} decimals={decimals} />}
    </Panel>
  );
}

function TrailingFields({
  trailing,
  onChange,
}: {
  trailing: TrailingView | null;
  onChange: (trailing: TrailingView | null) => void;
}) {
  const mode = trailing?.mode ?? 'off';
  return (
    <div className="col-span-2 flex flex-col gap-2">
      <span className="text-label font-medium">Trailing</span>
      <Segments
        label="Trailing"
        options={modes}
        value={mode}
        nameOf={(each) => modeNames[each]}
        onSelect={(next) => onChange(standards[next])}
      />
      {trailing?.mode === 'percent' && (
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label="Callback (%)"
            {...{ min: 0.05, max: 20, step: 0.05, decimals: 2, unit: '%' }}
            value={trailing.callbackPct}
            onChange={(callbackPct) => onChange({ ...trailing, callbackPct })}
          />
          <NumberField
            label="Step (%)"
            {...{ min: 0.05, max: 20, step: 0.05, decimals: 2, unit: '%' }}
            value={trailing.stepPct}
            onChange={(stepPct) => onChange({ ...trailing, stepPct })}
          />
        </div>
      )}
      {trailing?.mode === 'atr' && (
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label="ATR multiplier"
            {...{ min: 0.5, max: 20, step: 0.1, decimals: 2 }}
            value={trailing.atrMultiplier}
            onChange={(atrMultiplier) => onChange({ ...trailing, atrMultiplier })}
          />
          <NumberField
            label="ATR period"
            {...{ min: 5, max: 200, step: 1, decimals: 0 }}
            value={trailing.atrPeriod}
            onChange={(atrPeriod) => onChange({ ...trailing, atrPeriod })}
          />
        </div>
      )}
    </div>
  );
}

function Comparison({ answer, decimals }: { answer: WhatIfAnswer; decimals: number | undefined }) {
  const { recorded, replayed, changed, count, isCut } = answer;
  const difference = changed.net - replayed.net;
  return (
    <div data-testid="what-if" className="flex flex-col gap-2">
      <ScrollSideways label="What if, table">
        <table className="table" aria-label="What if, compared">
          <thead>
            <tr>
              <th className="lead" scope="col">
                <span className="sr-only">Way</span>
              </th>
              <th className="lead" scope="col">
                Ended by
              </th>
              <th scope="col">At price</th>
              <th scope="col">At</th>
              <th scope="col">Gross, USDT</th>
              <th scope="col">After fees, USDT</th>
            </tr>
          </thead>
          <tbody>
            <EndingRow name="As recorded" ending={recorded} decimals={decimals} />
            <EndingRow name="Replayed as it was" ending={replayed} decimals={decimals} />
            <EndingRow name="With your change" ending={changed} decimals={decimals} />
          </tbody>
        </table>
      </ScrollSideways>
      <p>
        Your change makes a difference of{' '}
        <span className={`font-semibold ${signTone(difference)}`}>{formatMoney(difference, true)} USDT</span> on these{' '}
        {formatCount(count)} candles. One position proves nothing about the next.
      </p>
      <p className="text-label text-muted">
        Funding is left out of every row. The replay knows whole candles only: where its second row differs from the
        record, a price inside a candle, or a close by hand, decided.
        {isCut && ' The life was longer than the candles that are replayed.'}
      </p>
    </div>
  );
}

function EndingRow({ name, ending, decimals }: { name: string; ending: Ending; decimals: number | undefined }) {
  return (
    <tr>
      <th className="lead" scope="row">
        {name}
      </th>
      <td className="lead">{ending.reason === null ? 'still open' : reasonNames[ending.reason]}</td>
      <td>{formatPrice(ending.price, decimals)}</td>
      <td>
        <Time at={ending.atMs} />
      </td>
      <td>{formatMoney(ending.gross, true)}</td>
      <td className={`font-medium ${signTone(ending.net)}`}>{formatMoney(ending.net, true)}</td>
    </tr>
  );
}
