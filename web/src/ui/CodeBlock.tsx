import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../state/toasts.ts';

interface Props {
  /** Names the block for screen readers, and in its button. */
  label: string;
  text: string;
  /** Toast after copying. */
  copiedText?: string | undefined;
}

/** Text for a terminal or an editor. It scrolls, by keyboard too, and copies as a whole. */
export function CodeBlock({ label, text, copiedText }: Props) {
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
        <CopyButton text={text} name={`Copy: ${label}`} copiedText={copiedText} />
      </div>
    </div>
  );
}

const COPIED_MS = 2000;

interface CopyProps {
  text: string;
  /** Label of the button before copying. */
  label?: string;
  /** Name for screen readers, where a page has several. */
  name?: string;
  /** Toast on success; without it the button alone confirms. */
  copiedText?: string | undefined;
  className?: string;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label = 'Copy', name, copiedText, className = 'btn btn-small' }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      if (copiedText !== undefined) toast(copiedText, 'success');
    } catch {
      // A page not loaded over https has no clipboard, and a browser may deny it.
      toast('Failed to copy', 'error');
    }
  }
  const Icon = isCopied ? Check : Copy;
  return (
    <button type="button" className={className} aria-label={isCopied ? undefined : name} onClick={() => void copy()}>
      <Icon size={14} aria-hidden="true" className="shrink-0" />
      {isCopied ? 'Copied' : label}
    </button>
  );
}
