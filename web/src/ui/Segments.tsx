import { type ComponentProps, type ReactNode, useId } from 'react';
import { DefinedTerm } from './Hint.tsx';

interface Props<Value extends string> {
  label: string;
  options: readonly Value[];
  value: Value;
  onSelect: (value: Value) => void;
  nameOf?: (value: Value) => string;
  isSmall?: boolean;
  /** Each as wide as its word instead of all alike. */
  isFitted?: boolean;
  /** Options that are unavailable now; explain why beside the control. */
  disabled?: readonly Value[];
}

/** A choice of few visible options: radio buttons that look like one control. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onSelect,
  nameOf,
  isSmall = false,
  isFitted = false,
  disabled = [],
}: Props<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={`segments ${isFitted ? 'segments-fitted' : ''}`}>
      {options.map((option) => (
        <label key={option} className={`segment ${isSmall ? 'segment-small' : ''}`}>
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option === value}
            disabled={disabled.includes(option)}
            onChange={() => onSelect(option)}
          />
          {nameOf?.(option) ?? option}
        </label>
      ))}
    </div>
  );
}

/** A choice of few options under its defined name; notes on the selected one go below it. */
export function ChoiceRow<Value extends string>({
  definition,
  children,
  ...choice
}: ComponentProps<typeof Segments<Value>> & ComponentProps<typeof DefinedTerm> & { children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-label font-medium">
        <DefinedTerm definition={definition} />
      </span>
      <Segments {...choice} />
      {children}
    </div>
  );
}
