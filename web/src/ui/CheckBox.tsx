interface Props {
  label: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

/** A checkbox of a form, sent with it. A setting that is saved at once is a Switch. */
export function CheckBox({ label, isOn, onToggle }: Props) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-[var(--accent)]"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onToggle(checked)}
      />
      {label}
    </label>
  );
}
