interface Props {
  label: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

export function Switch({ label, isOn, onToggle }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      onClick={() => onToggle(!isOn)}
      className={`relative h-4.5 w-8 rounded-full border transition-colors duration-150 ${
        isOn ? 'border-accent bg-accent' : 'border-muted bg-bg'
      }`}
    >
      <span
        aria-hidden="true"
        className={`absolute top-0.5 left-0.5 size-3 rounded-full transition-transform duration-150 ease-out ${
          isOn ? 'translate-x-3.5 bg-on-accent' : 'bg-muted'
        }`}
      />
    </button>
  );
}
