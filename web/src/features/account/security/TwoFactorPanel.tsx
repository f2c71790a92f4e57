import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { failureText } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { startTwoFactor, confirmTwoFactor, endTwoFactor, renewRecoveryCodes } from '../../../api/account.ts';
import { withStepUp } from '../../../state/stepUp.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { downloadText } from '../../../ui/download.ts';

/** TOTP by any authenticator: off, being set up, showing its recovery codes, or on. */
export function TwoFactorPanel({ isOn, codesLeft }: { isOn: boolean; codesLeft: number }) {
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = useMutation({
    mutationFn: () => withStepUp(startTwoFactor),
    onError: (failure) => toastFailure('Could not set up two-factor', failure),
  });
  const changed = () => queryClient.invalidateQueries({ queryKey: queryKeys.security.state });
  const showCodes = (fresh: string[]) => {
    start.reset();
    setCodes(fresh);
    return changed();
  };
  return (
    <Panel title="Two-factor sign-in" aside={isOn ? 'On' : 'Off'}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : isOn ? (
        <TurnedOn codesLeft={codesLeft} onCodes={showCodes} onChanged={changed} />
      ) : start.data !== undefined ? (
        <SetUp setup={start.data} onCodes={showCodes} onCancel={() => start.reset()} />
      ) : (
        <div className="flex flex-col gap-3">
          <p className="text-muted">Protect sign-in with a code from an authenticator app.</p>
          <button type="button" className="btn self-start" disabled={start.isPending} onClick={() => start.mutate()}>
            {start.isPending ? 'Processing...' : 'Set up two-factor'}
          </button>
        </div>
      )}
    </Panel>
  );
}

interface SetUpProps {
  setup: { secret: string; url: string };
  onCodes: (codes: string[]) => Promise<void>;
  onCancel: () => void;
}

function SetUp({ setup, onCodes, onCancel }: SetUpProps) {
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: () => withStepUp(() => confirmTwoFactor(code)), onSuccess: onCodes });
  const groups = setup.secret.match(/.{1,4}/g) ?? [];
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim() !== '') confirm.mutate();
      }}
    >
      <p className="text-muted">Scan with an authenticator app, or type in the key.</p>
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text={setup.url} label="QR code for the authenticator" />
        <div className="min-w-0">
          <p className="text-label text-muted">Key</p>
          <p data-testid="totp-secret" className="max-w-52 font-mono break-words">
            {groups.join(' ')}
          </p>
        </div>
      </div>
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Six digits from your authenticator"
        error={confirm.error === null ? undefined : failureText('Not turned on', confirm.error)}
        value={code}
        onChange={setCode}
      />
      <div className="flex gap-2">
        <button type="submit" className="btn btn-primary" disabled={confirm.isPending || code.trim() === ''}>
          {confirm.isPending ? 'Processing...' : 'Turn on'}
        </button>
        <button type="button" className="btn" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface TurnedOnProps {
  codesLeft: number;
  onCodes: (codes: string[]) => Promise<void>;
  onChanged: () => Promise<void>;
}

function TurnedOn({ codesLeft, onCodes, onChanged }: TurnedOnProps) {
  const renew = useMutation({
    mutationFn: () => withStepUp(renewRecoveryCodes),
    onSuccess: onCodes,
    onError: (failure) => toastFailure('Could not create new codes', failure),
  });
  const end = useMutation({
    mutationFn: () => withStepUp(endTwoFactor),
    onSuccess: () => {
      toast('Two-factor sign-in is off', 'success');
      return onChanged();
    },
    onError: (failure) => toastFailure('Two-factor is still on', failure),
  });
  const isBusy = renew.isPending || end.isPending;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Sign-in needs a code from your authenticator.{' '}
        {codesLeft === 0
          ? 'No recovery codes left. Create new ones.'
          : `${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn" disabled={isBusy} onClick={() => renew.mutate()}>
          New recovery codes
        </button>
        <button type="button" className="btn" disabled={isBusy} onClick={() => end.mutate()}>
          Turn off
        </button>
      </div>
    </div>
  );
}

const copiedMs = 2000;

/** The only time these are shown: the server keeps hashes. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
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
        Save these recovery codes now; they are shown once. Each signs you in once without your authenticator.
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
