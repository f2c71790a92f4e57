import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../../../state/toasts.ts';
import { downloadText } from '../../../ui/download.ts';
import { Notice } from '../../../ui/Notice.tsx';

const copiedMs = 2000;

/** The only time these are shown: the server keeps hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast('Failed to copy', 'error'),
    );
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn">
        Save these recovery codes. Each signs you in once if you lose your authenticator. They are not shown again.
      </Notice>
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn" onClick={() => void copy()}>
          {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => downloadText('sextant-recovery-codes.txt', text, 'text/plain')}
        >
          <Download size={14} aria-hidden="true" /> Download
        </button>
        <button type="button" className="btn btn-primary" onClick={onDone}>
          I have saved them
        </button>
      </div>
    </div>
  );
}
