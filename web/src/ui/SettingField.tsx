import { hintOfSetting, type NumberSettingId, readNumberSetting } from '@sextant/workers/src/settings.ts';
import { type HelpTopic, SettingHelp } from './HelpLink.tsx';
import { NumberField } from './NumberField.tsx';
import { SliderRow } from './SliderRow.tsx';

interface Props {
  id: NumberSettingId;
  label: string;
  value: number;
  /** In the place of bounds and default. */
  hint?: string;
  onChange: (value: number) => void;
}

/** The number field of an account setting: bounds, unit and hint come from the registry of settings. */
export function SettingField({ id, label, value, hint = hintOfSetting(id), onChange }: Props) {
  const { min, max, step, decimals, unit } = readNumberSetting(id);
  return (
    <NumberField
      label={label}
      topic={`setting.${id}`}
      hint={hint}
      min={min}
      max={max}
      step={step}
      decimals={decimals}
      unit={unit ?? ''}
      value={value}
      onChange={onChange}
    />
  );
}

/** The same as a slider; a value that differs from the default is marked. */
export function SettingSlider({ id, label, value, onChange }: Omit<Props, 'hint'>) {
  const { min, max, step, decimals, unit, default: standard } = readNumberSetting(id);
  return (
    <SliderRow
      name={label}
      label={label}
      topic={`setting.${id}`}
      min={min}
      max={max}
      step={step}
      decimals={decimals}
      unit={unit ?? ''}
      value={value}
      isChanged={value !== standard}
      onChange={onChange}
    />
  );
}

/** The name above a choice of few, with the way to what the help says about it. */
export function SettingName({ name, topic }: { name: string; topic: HelpTopic }) {
  return (
    <span className="-my-1 flex items-center">
      <span className="text-label font-medium">{name}</span>
      <SettingHelp topic={topic} />
    </span>
  );
}
