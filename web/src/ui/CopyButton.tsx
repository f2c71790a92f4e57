import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../state/toasts.ts';

const COPIED_MS = 2000;

interface Props {
  text: string;
  /** What the button says before and after. */
  label?: string;
  /** Name for a screen reader, where several stand on one page. */
  name?: string;
  /** Told on success; without it the button alone confirms. */
  told?: string;
  className?: string;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label = 'Copy', name, told, className = 'btn btn-small' }: Props) {
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
      if (told !== undefined) toast(told, 'success');
    } catch {
      // A page that was not loaded over https has no clipboard, and a browser may refuse it.
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
