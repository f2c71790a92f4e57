import { apiScopeNames, apiScopes, type KeyMode, keyModes, TEST_HOURLY_LIMIT } from '@sextant/workers/src/apiAccess.ts';
import { useState } from 'react';
import { useCreateKey } from '../../api/apiAccess.ts';
import { failureText } from '../../api/failure.ts';
import { isCancelled } from '../../state/stepUp.ts';
import { toast } from '../../state/toasts.ts';
import { Segments } from '../Segments.tsx';
import { TextField } from '../TextField.tsx';
import {
  type DraftErrors,
  emptyDraft,
  errorsOf,
  type KeyDraft,
  listOf,
  refusedField,
  requestOf,
  toggled,
} from './keyDraft.ts';
import { keyModeNames } from './KeyModeBadge.tsx';

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

/** A key as it is typed, with the errors beside its fields. */
export function useKeyDraft(start: KeyDraft = emptyDraft) {
  const [draft, setDraft] = useState(start);
  const [errors, setErrors] = useState<DraftErrors>({});
  return {
    draft,
    errors,
    edit: (change: Partial<KeyDraft>) => {
      setDraft((before) => ({ ...before, ...change }));
      setErrors({});
    },
    /** The body of the request; null when a field is wrong, and then its error is shown. */
    read: () => {
      const found = errorsOf(draft);
      setErrors(found);
      return Object.keys(found).length > 0 ? null : requestOf(draft);
    },
    showRefusal: (failure: unknown) => setErrors(refusedField(failure) ?? {}),
    clear: () => setDraft(emptyDraft),
  };
}

interface FieldsProps {
  draft: KeyDraft;
  errors: DraftErrors;
  onChange: (change: Partial<KeyDraft>) => void;
  /** What limits a key is folded away until it is asked for: a first key needs none of it. */
  isFolded: boolean;
}

/** Name, scopes, addresses and cap of a key. */
export function KeyFields({ draft, errors, onChange, isFolded }: FieldsProps) {
  const hasHiddenError =
    errors.scopes !== undefined || errors.addresses !== undefined || errors.creditCap !== undefined;
  const limits = <Limits draft={draft} errors={errors} onChange={onChange} />;
  return (
    <>
      <TextField
        label="Name"
        name="key-name"
        autoComplete="off"
        error={errors.name}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      {isFolded ? (
        <details open={hasHiddenError || undefined}>
          <summary className="cursor-pointer text-accent">Limit what the key may do</summary>
          <div className="mt-3">{limits}</div>
        </details>
      ) : (
        limits
      )}
    </>
  );
}

function Limits({ draft, errors, onChange }: Omit<FieldsProps, 'isFolded'>) {
  const chosen = listOf(draft.scopes);
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Scopes"
        name="key-scopes"
        autoComplete="off"
        hint="Separated by commas. Empty: all that only read."
        error={errors.scopes}
        value={draft.scopes}
        onChange={(scopes) => onChange({ scopes })}
      />
      <ul aria-label="Scopes to choose from" className="grid gap-x-4 gap-y-1 md:grid-cols-2">
        {apiScopeNames.map((scope) => (
          <li key={scope} className="flex items-start gap-2">
            <button
              type="button"
              aria-pressed={chosen.includes(scope)}
              className={`btn btn-small shrink-0 font-mono ${chosen.includes(scope) ? 'border-accent bg-accent-soft' : ''}`}
              onClick={() => onChange({ scopes: toggled(draft.scopes, scope) })}
            >
              {scope}
            </button>
            <span className="pt-1 text-label text-muted">{apiScopes[scope]}</span>
          </li>
        ))}
      </ul>
      <TextField
        label="IP allowlist"
        name="key-addresses"
        autoComplete="off"
        hint="Addresses or networks, separated by commas: 203.0.113.7, 2001:db8::/32. Empty: any address."
        error={errors.addresses}
        value={draft.addresses}
        onChange={(addresses) => onChange({ addresses })}
      />
      <TextField
        label="Credits a month at most"
        name="key-cap"
        autoComplete="off"
        inputMode="numeric"
        hint="Empty: no cap. Scans, arbitrage and vision cost credits; nothing else does."
        error={errors.creditCap}
        value={draft.creditCap}
        onChange={(creditCap) => onChange({ creditCap })}
      />
    </div>
  );
}
