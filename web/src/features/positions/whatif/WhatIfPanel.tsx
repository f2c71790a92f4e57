import { RISK_FRACTIONS } from '@sextant/workers/src/positions/sizing.ts';
import { choiceSettings, numberSettings } from '@sextant/workers/src/core/settings.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useSymbols } from '../../../data/symbols.ts';
import type { PositionView, TrailingView } from '../../../api/positionView.ts';
import { usePosition } from '../../../data/positions.ts';
import { usePreferences } from '../../../data/preferences.ts';
import type { Preferences } from '../../../api/types.ts';
import { formatCount, formatMoney, formatPrice, formatQuantity, signTone } from '../../../format/number.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Time } from '../../../ui/Time.tsx';
import { reasonNames } from '../../../format/names.ts';
import { standardTrailing } from '../../shared/trailing/trailing.ts';
import { TrailingNumbers } from '../../shared/trailing/TrailingNumbers.tsx';
import {
  type ChangedSize,
  type Ending,
  runWhatIf,
  type SizingBasis,
  type WhatIf,
  type WhatIfResponse,
  whatIfOf,
} from './runWhatIf.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';

const modes = ['off', ...choiceSettings.trail_mode.choices] as const;
const modeNames = { off: 'No trailing', percent: 'Percent', atr: 'ATR' };
const standards: Record<(typeof modes)[number], TrailingView | null> = { off: null, ...standardTrailing };

interface Props {
  position: PositionView;
  decimals: number | undefined;
}

/** Sizing inputs of an opening today; null while unknown. */
function useSizingBasis({ exchange, symbol }: PositionView): SizingBasis | null {
  const { data: preferences } = usePreferences();
  const { data } = useSymbols(exchange);
  const match = data?.symbols.find((each) => each.symbol === symbol);
  if (preferences == null || match === undefined) return null;
  const { tick_size: tickSize, step_size: stepSize, min_notional: minNotional, max_quantity: maxQuantity } = match;
  const least = { minNotional: minNotional ?? 0, maxQuantity: maxQuantity ?? 0 };
  return { preferences, market: { tickSize, stepSize, ...least, maxLeverage: match.max_leverage } };
}

/** A closed position replayed with another stop, target, trailing or size, by the engine of this browser on the candles of its life. */
export function WhatIfPanel({ position, decimals }: Props) {
  const [change, setChange] = useState<WhatIf>(() => whatIfOf(position));
  const basis = useSizingBasis(position);
  const run = useMutation({ mutationFn: () => runWhatIf(position, change, basis, Date.now()) });
  const wasChanged = usePosition(position.id).data?.events.some(({ kind }) => kind === 'changed') ?? false;
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
          min={0.05}
          max={50}
          step={0.1}
          decimals={3}
          unit="%"
          value={change.stopPct}
          onChange={(stopPct) => edit({ stopPct })}
        />
        <NumberField
          label="Target (%)"
          hint="from the entry"
          min={0.05}
          max={100}
          step={0.1}
          decimals={3}
          unit="%"
          value={change.targetPct}
          onChange={(targetPct) => edit({ targetPct })}
        />
        <TrailingFields trailing={change.trailing} onChange={(trailing) => edit({ trailing })} />
        <SizeFields
          position={position}
          sizedBy={change.sizedBy}
          preferences={basis?.preferences ?? null}
          onChange={(sizedBy) => edit({ sizedBy })}
        />
        <div className="col-span-2 flex gap-2 md:col-span-4">
          <button type="submit" className="btn btn-primary" disabled={run.isPending}>
            {run.isPending ? 'Replaying' : 'Replay'}
          </button>
          <button type="button" className="btn" disabled={run.isPending} onClick={() => setChange(whatIfOf(position))}>
            As it was
          </button>
        </div>
      </form>
      {wasChanged && (
        <p className="text-label text-muted">
          You changed its levels while it was open. The replay keeps one stop and target from entry to exit.
        </p>
      )}
      {run.isPending && <ExchangeWait />}
      {run.error !== null && <Notice tone="error">{messageOf(run.error, 'Could not replay it. Try again.')}</Notice>}
      {run.data !== undefined && <Comparison response={run.data} position={position} decimals={decimals} />}
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
      {trailing !== null && <TrailingNumbers trailing={trailing} onChange={onChange} />}
    </div>
  );
}

const sizings = ['recorded', 'risk'] as const;
const sizingNames = { recorded: 'As recorded', risk: 'By risk' };

interface SizeFieldsProps {
  position: PositionView;
  sizedBy: WhatIf['sizedBy'];
  preferences: Preferences | null;
  onChange: (sizedBy: WhatIf['sizedBy']) => void;
}

function SizeFields({ position, sizedBy, preferences, onChange }: SizeFieldsProps) {
  const { leverage } = position;
  const tolerance = preferences?.risk_tolerance ?? choiceSettings.risk_tolerance.default;
  const standard = { riskPct: RISK_FRACTIONS[tolerance] * 100, leverage };
  return (
    <div className="col-span-2 flex flex-col gap-2">
      <span className="text-label font-medium">Size</span>
      <Segments
        label="Size"
        options={sizings}
        value={sizedBy === null ? 'recorded' : 'risk'}
        nameOf={(each) => sizingNames[each]}
        disabled={preferences === null ? ['risk'] : []}
        onSelect={(next) => onChange(next === 'risk' ? standard : null)}
      />
      {sizedBy === null ? (
        <p className="text-label text-muted">
          The recorded size stays: {formatQuantity(position.qty)} at {leverage}x. The stop does not change it.
        </p>
      ) : (
        <>
          <div className="grid grid-cols-2 gap-3">
            <NumberField
              label="Risk per trade (%)"
              min={0.1}
              max={10}
              step={0.1}
              decimals={2}
              unit="%"
              value={sizedBy.riskPct}
              onChange={(riskPct) => onChange({ ...sizedBy, riskPct })}
            />
            <NumberField
              label="Leverage"
              min={numberSettings.leverage.min}
              max={numberSettings.leverage.max}
              step={numberSettings.leverage.step}
              decimals={numberSettings.leverage.decimals}
              unit="x"
              value={sizedBy.leverage}
              onChange={(next) => onChange({ ...sizedBy, leverage: next })}
            />
          </div>
          <p className="text-label text-muted">
            Of your balance of {formatMoney(preferences?.balance_usdt ?? 0)} USDT, with no other position open.
          </p>
        </>
      )}
    </div>
  );
}

/** Size and leverage of the third row. */
function SizeSentence({ size, position }: { size: ChangedSize; position: PositionView }) {
  const { quantity, leverage, lossAtStopUsdt, isReduced, isLargestOrder } = size;
  if (lossAtStopUsdt === null) {
    return (
      <p>
        Every row has the recorded size of {formatQuantity(quantity)} at {leverage}x.
      </p>
    );
  }
  return (
    <p>
      Your change is resized: {formatQuantity(quantity)} at {leverage}x instead of {formatQuantity(position.qty)} at{' '}
      {position.leverage}x. Its stop loses {formatMoney(lossAtStopUsdt)} USDT with its costs.
      {isReduced && ' The risk allows more, but the balance does not.'}
      {isLargestOrder && ' The risk allows more, but the exchange takes no larger market order.'}
    </p>
  );
}

interface ComparisonProps {
  response: WhatIfResponse;
  position: PositionView;
  decimals: number | undefined;
}

function Comparison({ response, position, decimals }: ComparisonProps) {
  const { recorded, replayed, changed, size, count, isCut } = response;
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
      <SizeSentence size={size} position={position} />
      <p>
        Your change: a difference of{' '}
        <span className={`font-semibold ${signTone(difference)}`}>{formatMoney(difference, true)} USDT</span> on these{' '}
        {formatCount(count)} candles. One position is no evidence for the next.
      </p>
      <p className="text-label text-muted">
        All rows exclude funding. The replay uses whole candles. Its second row differs when the position ended inside a
        candle or by hand, was filled in parts or changed by you.
        {isCut && ' The position lasted longer than the replayed candles.'}
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
