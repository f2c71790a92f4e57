import { formatAmount } from '../../../format/number.ts';
import { Segments } from '../../../ui/Segments.tsx';

interface Preset {
  id: string;
  label: string;
  value: number;
}

interface Props {
  label: string;
  presets: readonly Preset[];
  value: number;
  hint: string;
  /** What stands beside the name of a preset, where the name does not say it. */
  textOf?: (value: number) => string;
  onSelect: (value: number) => void;
}

const CUSTOM = 'custom';

/** Named values to choose from. A value of another kind, set elsewhere, is shown as it is and stays until another is chosen. */
export function PresetChoice({ label, presets, value, hint, textOf, onSelect }: Props) {
  const current = presets.find((preset) => preset.value === value);
  const options = [...presets.map(({ id }) => id), ...(current === undefined ? [CUSTOM] : [])];
  const nameOf = (id: string): string => {
    const preset = presets.find((each) => each.id === id);
    if (preset === undefined) return `Custom ${textOf?.(value) ?? formatAmount(value)}`;
    return textOf === undefined ? preset.label : `${preset.label} ${textOf(preset.value)}`;
  };
  return (
    <div className="flex flex-col gap-1">
      <span className="text-label font-medium">{label}</span>
      <Segments
        label={label}
        options={options}
        value={current?.id ?? CUSTOM}
        nameOf={nameOf}
        onSelect={(id) => {
          const preset = presets.find((each) => each.id === id);
          if (preset !== undefined) onSelect(preset.value);
        }}
      />
      <p className="text-label text-muted">{hint}</p>
    </div>
  );
}
