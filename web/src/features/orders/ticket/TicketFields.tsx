import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { OrderPreview } from '../../../api/types.ts';
import { formatFixed } from '../../../format/number.ts';
import { CheckBox } from '../../../ui/CheckBox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { NumberField, type NumberFieldProps } from '../../../ui/NumberInput.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { draftTargets, withFurtherTarget } from '../../shared/targets/targetDraft.ts';
import { TargetRows } from '../../shared/targets/TargetRows.tsx';
import { standardTrailing } from '../../shared/trailing/trailing.ts';
import { TrailingNumbers } from '../../shared/trailing/TrailingNumbers.tsx';
import { type Expiry, expiryNames, shownSizes, type SizeName, sizeNames, type TicketDraft } from './draft.ts';
import { editDraft } from './ticketState.ts';
import type { Contract, Problems } from './useTicket.ts';

interface PartProps {
  draft: TicketDraft;
  preview: OrderPreview | undefined;
  problems: Problems;
  contract: Contract;
}

const stepDecimals = (step: number): number => (step > 0 && step < 1 ? Math.round(-Math.log10(step)) : 0);

/** The size in four measures: the one that is typed leads, the others follow from it. */
export function SizeFields({ draft, preview, problems, contract, equity }: PartProps & { equity: number | null }) {
  const shown = shownSizes(draft, preview, equity);
  const quantityStep = contract.stepSize > 0 ? contract.stepSize : 0.0001;
  const fields: Record<SizeName, Pick<NumberFieldProps, 'label' | 'min' | 'max' | 'step' | 'decimals' | 'unit'>> = {
    notional: { label: 'Notional', min: 0.01, max: 1e10, step: 10, decimals: 2, unit: 'USDT' },
    quantity: {
      label: 'Quantity',
      min: quantityStep,
      max: 1e12,
      step: quantityStep,
      decimals: Math.max(0, Math.min(8, stepDecimals(quantityStep))),
      unit: contract.base,
    },
    equity_fraction: { label: 'Share of equity', min: 0.01, max: 100, step: 1, decimals: 2, unit: '%' },
    risk_fraction: { label: 'Loss at the stop', min: 0.01, max: 100, step: 0.25, decimals: 2, unit: '%' },
  };
  const names = draft.isReduceOnly ? sizeNames.slice(0, 2) : sizeNames;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Size</legend>
      <div className="grid grid-cols-2 items-start gap-3">
        {names.map((by) => (
          <NumberField
            key={by}
            {...fields[by]}
            value={shown[by]}
            onChange={(value) => editDraft({ size: { by, value } })}
            onClear={() => editDraft({ size: null })}
          />
        ))}
      </div>
      <p className={`text-label ${problems.size === undefined ? 'text-muted' : 'text-down'}`} aria-live="polite">
        {problems.size ??
          (draft.size === null
            ? 'Sized by your settings until you type one.'
            : 'Empty the field to size by your settings.')}
      </p>
    </fieldset>
  );
}

export function LeverageField({ draft, preview, problems, contract }: PartProps) {
  return (
    <NumberField
      label="Leverage"
      value={draft.leverage ?? preview?.leverage ?? null}
      min={1}
      max={contract.leverageMax ?? LEVERAGE_MAX}
      step={1}
      decimals={0}
      unit="x"
      problem={problems.leverage}
      isDisabled={preview?.action === 'add'}
      onChange={(leverage) => editDraft({ leverage })}
      onClear={() => editDraft({ leverage: null })}
    />
  );
}

/** Distance of a level from the entry, percent. */
function distanceText(price: number | null | undefined, entry: number | null | undefined): string | undefined {
  if (price == null || entry == null || entry === 0) return undefined;
  return `${formatFixed(Math.abs(price / entry - 1) * 100, 2)} % from the entry`;
}

export function StopField({ draft, preview, problems, contract }: PartProps) {
  const value = draft.stopLoss ?? preview?.stop_loss ?? null;
  return (
    <PriceField
      tickSize={contract.tickSize}
      decimals={contract.decimals}
      label="Stop loss"
      value={value}
      hint={distanceText(value, preview?.entry)}
      problem={problems.stop}
      onChange={(stopLoss) => editDraft({ stopLoss })}
      onClear={() => editDraft({ stopLoss: null })}
    />
  );
}

export function TargetFields({ draft, preview, problems, contract }: PartProps) {
  const entry = preview?.entry ?? null;
  const targets = draft.targets ?? draftTargets(preview?.targets ?? []);
  const { tickSize } = contract;
  return (
    <TargetRows
      targets={targets}
      withNext={withFurtherTarget(targets, { side: draft.side, entry, tickSize })}
      tickSize={tickSize}
      decimals={contract.decimals}
      hintOf={({ price }) => distanceText(price, entry)}
      problem={problems.targets}
      onChange={(next) => editDraft({ targets: next })}
      onClear={() => editDraft({ targets: null })}
    />
  );
}

const trailingChoices = ['settings', 'off', 'percent', 'atr'] as const;
const trailingNames = { settings: 'As set', off: 'Off', percent: 'Percent', atr: 'ATR' };

interface TrailingProps extends Pick<PartProps, 'draft' | 'problems'> {
  /** Whether the order has trailing of its own; `beside` always stands here. */
  isShown: boolean;
  /** At the end of its line. */
  beside: ReactNode;
}

/** Folded until it is opened, or has numbers of its own: the figures of the order stay in sight. Its line names the choice. */
export function TrailingFields({ draft: { trailing }, problems, isShown, beside }: TrailingProps) {
  const isOwn = typeof trailing !== 'string';
  const [isUnfolded, setIsUnfolded] = useState(isOwn);
  // A field with an error is in sight.
  const isOpen = isShown && (isUnfolded || problems.trailing !== undefined);
  const choice = isOwn ? trailing.mode : trailing;
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        {isShown && (
          <button
            type="button"
            className="btn btn-ghost btn-small -ml-2"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsUnfolded(!isOpen)}
          >
            Trailing stop: {trailingNames[choice]}
            <ChevronDown size={14} aria-hidden="true" className={isOpen ? 'rotate-180' : ''} />
          </button>
        )}
        {beside}
      </div>
      <div id={id} hidden={!isOpen} className={isOpen ? 'flex flex-col gap-2' : ''}>
        <Segments
          label="Trailing stop"
          isSmall
          options={trailingChoices}
          value={choice}
          nameOf={(each) => trailingNames[each]}
          onSelect={(next) =>
            editDraft({ trailing: next === 'percent' || next === 'atr' ? standardTrailing[next] : next })
          }
        />
        {isOwn && <TrailingNumbers trailing={trailing} onChange={(next) => editDraft({ trailing: next })} />}
      </div>
      {isShown && problems.trailing !== undefined && <p className="text-label text-down">{problems.trailing}</p>}
    </div>
  );
}

export function ExpiryField({ draft, problems }: Pick<PartProps, 'draft' | 'problems'>) {
  return (
    <Field label="Expires" error={problems.expiry}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={draft.expiry}
          onChange={({ currentTarget: { value } }) => editDraft({ expiry: value as Expiry })}
        >
          {Object.entries(expiryNames).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function ReduceField({ draft, problems }: Pick<PartProps, 'draft' | 'problems'>) {
  return (
    <div>
      <CheckBox
        label="Reduce only: close, never open"
        isOn={draft.isReduceOnly}
        onToggle={(isReduceOnly) => editDraft({ isReduceOnly })}
      />
      {problems.reduce !== undefined && <p className="text-label text-down">{problems.reduce}</p>}
    </div>
  );
}
