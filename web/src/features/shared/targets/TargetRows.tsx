import { Plus, X } from 'lucide-react';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { sharesOf, type TargetDraft } from './targetDraft.ts';

interface Props<Target extends TargetDraft<number | null>> {
  targets: readonly Target[];
  tickSize: number;
  decimals: number | undefined;
  /** Below a price: what it gives, or its distance. */
  hintOf?: (target: Target, at: number) => string | undefined;
  /** About all of them. */
  problem: string | null | undefined;
  /** The targets with another one; null: none can be added. */
  withNext: Target[] | null;
  /** Also a single target can be removed, so it has a number. */
  isOptional?: boolean;
  isSmall?: boolean;
  onChange: (targets: Target[]) => void;
  /** The prices may be emptied: called with the row. */
  onClear?: (at: number) => void;
}

/** Targets with their shares. */
export function TargetRows<Target extends TargetDraft<number | null>>({
  targets,
  tickSize,
  decimals,
  hintOf,
  problem,
  withNext,
  isOptional = false,
  isSmall = false,
  onChange,
  onClear,
}: Props<Target>) {
  const shares = sharesOf(targets);
  const isNumbered = isOptional || targets.length > 1;
  const lastAt = targets.length - 1;
  const last = targets[lastAt];
  // Below the last share, beside the hint of its price, there is room.
  const isBesideHint = problem == null && last !== undefined && hintOf?.(last, lastAt) !== undefined;
  const edit = (at: number, change: { price: number } | { sharePct: number }) =>
    onChange(targets.map((target, row) => (row === at ? { ...target, ...change } : target)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Targets</legend>
      {targets.map((target, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_minmax(0,96px)_32px] items-start gap-2">
          <PriceField
            label={isNumbered ? `Target ${at + 1}` : 'Target'}
            value={target.price}
            hint={hintOf?.(target, at)}
            tickSize={tickSize}
            decimals={decimals}
            isSmall={isSmall}
            onChange={(price) => edit(at, { price })}
            onClear={onClear && (() => onClear(at))}
          />
          <NumberField
            label={isNumbered ? `Share ${at + 1}` : 'Share'}
            value={shares[at] ?? null}
            min={1}
            max={99}
            step={5}
            decimals={2}
            unit="%"
            isSmall={isSmall}
            isDisabled={at === lastAt}
            onChange={(sharePct) => edit(at, { sharePct })}
          />
          {isNumbered && (
            <button
              type="button"
              className={`btn btn-ghost btn-icon mt-5 ${isSmall ? 'btn-small' : ''}`}
              aria-label={`Remove target ${at + 1}`}
              onClick={() => onChange(targets.filter((_, row) => row !== at))}
            >
              <X size={14} aria-hidden="true" />
            </button>
          )}
        </div>
      ))}
      {problem != null && (
        <p role="alert" className="text-label text-down">
          {problem}
        </p>
      )}
      {withNext !== null && (
        <button
          type="button"
          className={`btn btn-small ${isBesideHint ? '-mt-6 self-end' : 'self-start'}`}
          onClick={() => onChange(withNext)}
        >
          <Plus size={14} aria-hidden="true" /> Add target
        </button>
      )}
    </fieldset>
  );
}
