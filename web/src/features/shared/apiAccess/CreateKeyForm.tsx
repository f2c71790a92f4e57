import {
  type ApiScope,
  apiScopeNames,
  apiScopes,
  type KeyMode,
  keyModes,
  TEST_HOURLY_LIMIT,
} from '@sextant/workers/src/core/apiAccess.ts';
import { useState } from 'react';
import { useCreateKey } from '../../../data/apiAccess.ts';
import { ApiFailure, failureText, messageOf } from '../../../api/failure.ts';
import type { ApiKey } from '../../../api/types.ts';
import { isCancelled } from '../../../state/stepUp.ts';
import { toast } from '../../../state/toasts.ts';
import { TextField } from '../../../ui/Field.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { keyModeNames } from './KeyModeBadge.tsx';

interface Props {
  /** All fields in sight, instead of the name alone. */
  isWhole?: boolean;
  onMade?: () => void;
  /** Closes the form without a key. */
  onCancel?: () => void;
}

const modeTexts: Record<KeyMode, string> = {
  live: 'Reads the market and your account within your hourly limit. Scans cost credits.',
  test: `Sandbox with a frozen market: no credits, ${TEST_HOURLY_LIMIT} calls an hour. ` + 'Your account stays hidden.',
};

/** Creates a key and passes it to NewKeyPanel, which shows it. */
export function CreateKeyForm({ isWhole = false, onMade, onCancel }: Props) {
  const { draft, errors, edit, read, showRejection, clear } = useKeyDraft();
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
          showRejection(failure);
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

/** A key form, with the errors beside its fields. */
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
      const result = errorsOf(draft);
      setErrors(result);
      return Object.keys(result).length > 0 ? null : requestOf(draft);
    },
    showRejection: (failure: unknown) => setErrors(rejectedField(failure) ?? {}),
    clear: () => setDraft(emptyDraft),
  };
}

interface FieldsProps {
  draft: KeyDraft;
  errors: DraftErrors;
  onChange: (change: Partial<KeyDraft>) => void;
  /** Hides the limits of a key until requested: a first key needs none of them. */
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
        hint="Comma-separated. Empty: all read scopes."
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
        hint="Comma-separated: 203.0.113.7, 2001:db8::/32. Empty: any address."
        error={errors.addresses}
        value={draft.addresses}
        onChange={(addresses) => onChange({ addresses })}
      />
      <TextField
        label="Credits a month at most"
        name="key-cap"
        autoComplete="off"
        inputMode="numeric"
        hint="Empty: no cap. Scans, arbitrage and vision cost credits."
        error={errors.creditCap}
        value={draft.creditCap}
        onChange={(creditCap) => onChange({ creditCap })}
      />
    </div>
  );
}

/** Rights of a key, as typed. */
interface KeyDraft {
  name: string;
  /** Separated by commas, as is `addresses`. */
  scopes: string;
  addresses: string;
  /** Credits a month; empty is no cap. */
  creditCap: string;
}

const DEFAULT_KEY_NAME = 'Server key';
export const emptyDraft: KeyDraft = { name: DEFAULT_KEY_NAME, scopes: '', addresses: '', creditCap: '' };

export const draftOf = (key: ApiKey): KeyDraft => ({
  name: key.name,
  scopes: key.scopes.join(', '),
  addresses: key.ip_allowlist.join(', '),
  creditCap: key.credit_cap === null ? '' : String(key.credit_cap),
});

/** The entries of a list separated by commas, trimmed, without empty ones. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The same list with an entry added, or without it. */
export function toggled(text: string, entry: string): string {
  const entries = listOf(text);
  return (entries.includes(entry) ? entries.filter((each) => each !== entry) : [...entries, entry]).join(', ');
}

/** The body of the request. Scopes that do not exist are left to the server to name. */
export function requestOf(draft: KeyDraft) {
  const cap = draft.creditCap.trim();
  return {
    name: draft.name.trim(),
    scopes: listOf(draft.scopes) as ApiScope[],
    ip_allowlist: listOf(draft.addresses),
    credit_cap: cap === '' ? null : Number(cap),
  };
}

type DraftErrors = Partial<Record<keyof KeyDraft, string>>;

/** Checks that need no server. */
export function errorsOf(draft: KeyDraft): DraftErrors {
  const unknown = listOf(draft.scopes).find((scope) => !apiScopeNames.some((known) => known === scope));
  return {
    ...(draft.name.trim() === '' ? { name: 'Enter a name' } : {}),
    ...(unknown === undefined ? {} : { scopes: `${unknown} is no scope: choose from the list` }),
    ...(/^\d{0,7}$/.test(draft.creditCap.trim()) ? {} : { creditCap: 'Enter whole credits, or leave empty' }),
  };
}

const fieldOf: Record<string, keyof KeyDraft> = {
  name: 'name',
  scopes: 'scopes',
  ip_allowlist: 'addresses',
  credit_cap: 'creditCap',
};

/** The field the server rejected, with its message; undefined when it named none. */
export function rejectedField(failure: unknown): DraftErrors | undefined {
  if (!(failure instanceof ApiFailure) || failure.field === undefined) return undefined;
  const field = fieldOf[failure.field.split('.', 1)[0] ?? ''];
  return field === undefined ? undefined : { [field]: messageOf(failure, 'Check this value').replace(/^[\w.]+: /, '') };
}
