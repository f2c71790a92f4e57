import { type KeyMode, keyModes, TEST_HOURLY_LIMIT } from '@sextant/workers/src/apiAccess.ts';
import { useState } from 'react';
import { useCreateKey } from '../../api/apiAccess.ts';
import { failureText } from '../../api/failure.ts';
import { isCancelled } from '../../state/stepUp.ts';
import { toast } from '../../state/toasts.ts';
import { Segments } from '../Segments.tsx';
import { KeyFields } from './KeyFields.tsx';
import { keyModeNames } from './KeyModeBadge.tsx';
import { useKeyDraft } from './useKeyDraft.ts';

interface Props {
  /** All fields in sight, instead of the name alone. */
  isWhole?: boolean;
  onMade?: () => void;
  /** Closes the form without a key. */
  onCancel?: () => void;
}

const modeTexts: Record<KeyMode, string> = {
  live: 'Reads the market and your account. Counts against the hour of your plan; scans cost credits.',
  test:
    `Answers from a sandbox: a frozen market, the same bytes every day, no credits, ${TEST_HOURLY_LIMIT} calls an hour. ` +
    'It sees nothing of your account.',
};

/** Makes a key and takes it in hand; the key itself is shown by NewKeyPanel. */
export function CreateKeyForm({ isWhole = false, onMade, onCancel }: Props) {
  const { draft, errors, edit, read, showRefusal, clear } = useKeyDraft();
  const create = useCreateKey();
  const [mode, setMode] = useState<KeyMode>('live');
  const submit = (): void => {
    const request = read();
    if (request === null) return;
    create.mutate(
      { ...request, mode },
      {
        onSuccess: () => {
          clear();
          onMade?.();
        },
        onError: (failure) => {
          if (isCancelled(failure)) return;
          showRefusal(failure);
          toast(failureText('Failed to create key', failure), 'error');
        },
      },
    );
  };
  return (
    <form
      noValidate
      aria-label="New API key"
      className="flex max-w-170 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="flex flex-col items-start gap-1">
        <Segments
          label="Kind of key"
          options={keyModes}
          value={mode}
          nameOf={(each) => keyModeNames[each]}
          onSelect={setMode}
          isFitted
        />
        <p className="text-label text-muted">{modeTexts[mode]}</p>
      </div>
      <KeyFields draft={draft} errors={errors} isFolded={!isWhole} onChange={edit} />
      <div className="flex gap-2">
        <button type="submit" className="btn btn-primary" disabled={create.isPending}>
          {create.isPending ? 'Processing...' : 'Create API key'}
        </button>
        {onCancel !== undefined && (
          <button type="button" className="btn btn-ghost" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
