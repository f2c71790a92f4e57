import type { CSSProperties, ReactNode } from 'react';
import { type HelpTopic, SettingHelp } from './HelpLink.tsx';
import { NumberInput } from './NumberInput.tsx';

interface Props {
  /** Plain name, for a screen reader. */
  name: string;
  /** The name, which may be a term with its definition. */
  label: ReactNode;
  /** Its help topic. */
  topic?: HelpTopic;
  value: number;
  min: number;
  max: number;
  step: number;
  decimals: number;
  unit?: string;
  isDisabled?: boolean;
  /** Marks a value that is not the default. */
  isChanged: boolean;
  onChange: (value: number) => void;
}

/** One line: name, slider, exact value. */
export function SliderRow(props: Props) {
  const {
    name,
    label,
    topic,
    value,
    min,
    max,
    step,
    decimals,
    unit = '',
    isDisabled = false,
    isChanged,
    onChange,
  } = props;
  const placeOf = (of: number): number => Math.min(100, Math.max(0, ((of - min) / (max - min)) * 100));
  const [from = 0, fill = 0] = [placeOf(0), placeOf(value)].sort((a, b) => a - b);
  return (
    <div className="grid h-8 grid-cols-[134px_1fr_68px] items-center gap-2 pointer-coarse:h-11">
      <span className="flex min-w-0 items-center">
        <span className={`line-clamp-2 text-label leading-4 ${isChanged ? 'font-semibold' : ''}`}>
          {label}
          {isChanged && <span className="sr-only"> (changed)</span>}
        </span>
        {topic !== undefined && <SettingHelp topic={topic} />}
      </span>
      <input
        type="range"
        aria-label={name}
        className="range"
        style={{ '--from': `${from}%`, '--fill': `${fill}%` } as CSSProperties}
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(Number(Number(event.target.value).toFixed(decimals)))}
      />
      <NumberInput
        aria-label={`${name}, exact value`}
        isSmall
        isDisabled={isDisabled}
        value={value}
        min={min}
        max={max}
        step={step}
        decimals={decimals}
        unit={unit}
        onChange={onChange}
      />
    </div>
  );
}
