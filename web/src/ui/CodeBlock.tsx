import { CopyButton } from './CopyButton.tsx';

interface Props {
  /** Names the block to a screen reader, and what its button copies. */
  label: string;
  text: string;
  /** Told when it was copied. */
  told?: string;
}

/** Text for a terminal or an editor. It scrolls by itself, by keyboard too, and copies as a whole. */
export function CodeBlock({ label, text, told }: Props) {
  return (
    <div className="relative min-w-0 rounded border border-line bg-bg">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-90 overflow-auto p-3 pr-20 font-mono text-label leading-5"
      >
        {text}
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} name={`Copy: ${label}`} {...(told === undefined ? {} : { told })} />
      </div>
    </div>
  );
}
