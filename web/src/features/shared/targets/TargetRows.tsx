import { Plus, X } from 'lucide-react';
import { priceDecimals } from '../../../format/number.ts';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { sharesOf, type TargetDraft, TARGETS_MAX, withTarget } from './targetDraft.ts';

const PRICE_MAX = 1e9;

interface Props {
  targets: readonly TargetDraft[];
  side: 'LONG' | 'SHORT';
  /** Another target lies as far from the last one as that from the entry. Null: none can be added yet. */
  entry: number | null;
  tickSize: number;
  decimals: number | undefined;
  /** Below a price: what it gives, or its distance. */
  hintOf?: (target: TargetDraft, at: number) => string | undefined;
  /** About all of them. */
  problem: string | null | undefined;
  onChange: (targets: TargetDraft[]) => void;
  /** The prices may be emptied: settings decide then. */
  onClear?: () => void;
}

/** Up to three targets with their shares. */
export function TargetRows({ targets, side, entry, tickSize, decimals, hintOf, problem, onChange, onClear }: Props) {
  const shares = sharesOf(targets);
  const isSplit = targets.length > 1;
  const edit = (at: number, change: Partial<TargetDraft>) =>
    onChange(targets.map((target, row) => (row === at ? { ...target, ...change } : target)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Targets</legend>
      {targets.map((target, at) => {
        // Those of its size while the tick of the symbol is unknown.
        const shown = decimals ?? priceDecimals(target.price);
        const least = tickSize > 0 ? tickSize : 10 ** -shown;
        return (
          <div key={at} className="grid grid-cols-[minmax(0,1fr)_96px_32px] items-start gap-2">
            <NumberField
              label={isSplit ? `Target ${at + 1}` : 'Target'}
              value={target.price}
              hint={hintOf?.(target, at)}
              min={least}
              max={PRICE_MAX}
              step={least}
              decimals={shown}
              onChange={(price) => edit(at, { price })}
              onClear={onClear}
            />
            <NumberField
              label={isSplit ? `Share ${at + 1}` : 'Share'}
              value={shares[at] ?? null}
              min={1}
              max={99}
              step={5}
              decimals={2}
              unit="%"
              isDisabled={at === targets.length - 1}
              onChange={(sharePct) => edit(at, { sharePct })}
            />
            {isSplit && (
              <button
                type="button"
                className="btn btn-ghost btn-icon mt-5"
                aria-label={`Remove target ${at + 1}`}
                onClick={() => onChange(targets.filter((_, row) => row !== at))}
              >
                <X size={14} aria-hidden="true" />
              </button>
            )}
          </div>
        );
      })}
      {problem != null && (
        <p role="alert" className="text-label text-down">
          {problem}
        </p>
      )}
      {targets.length > 0 && targets.length < TARGETS_MAX && entry !== null && (
        <button
          type="button"
          className="btn btn-small self-start"
          onClick={() => onChange(withTarget(targets, side, entry, tickSize))}
        >
          <Plus size={14} aria-hidden="true" /> Add target
        </button>
      )}
    </fieldset>
  );
}
