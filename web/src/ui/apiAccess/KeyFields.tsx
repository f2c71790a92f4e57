import { apiScopeNames, apiScopes } from '@sextant/workers/src/apiAccess.ts';
import { TextField } from '../TextField.tsx';
import { type DraftErrors, type KeyDraft, listOf, toggled } from './keyDraft.ts';

interface Props {
  draft: KeyDraft;
  errors: DraftErrors;
  onChange: (change: Partial<KeyDraft>) => void;
  /** What limits a key is folded away until it is asked for: a first key needs none of it. */
  isFolded: boolean;
}

/** Name, scopes, addresses and cap of a key. */
export function KeyFields({ draft, errors, onChange, isFolded }: Props) {
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

function Limits({ draft, errors, onChange }: Omit<Props, 'isFolded'>) {
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
