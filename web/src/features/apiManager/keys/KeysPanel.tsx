import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Overlap, useApiKeys, useChangeKey, useRevokeKey, useRotateKey } from '../../../data/apiAccess.ts';
import type { ApiKey } from '../../../api/types.ts';
import { formatMany } from '../../../format/number.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { CreateKeyForm, draftOf, KeyFields, useKeyDraft } from '../../shared/apiAccess/CreateKeyForm.tsx';
import { KeyModeBadge } from '../../shared/apiAccess/KeyModeBadge.tsx';
import { ConfirmDialog, Dialog, DialogButtons, RemovalDialog } from '../../../ui/Dialog.tsx';
import { Loaded, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Time } from '../../../ui/Time.tsx';

type Act = 'change' | 'rotate' | 'revoke';

/** The keys of the account. Without keys, the form for the first one. */
export function KeysPanel() {
  const keys = useApiKeys();
  const [isMaking, setMaking] = useState(false);
  const [requested, setRequested] = useState<{ key: ApiKey; act: Act } | null>(null);
  const activeCount = keys.data?.filter(({ active }) => active).length ?? 0;
  const close = () => setRequested(null);
  return (
    <Panel
      title="API keys"
      bodyClassName=""
      aside={
        activeCount > 0 &&
        !isMaking && (
          <button type="button" className="btn btn-primary btn-small" onClick={() => setMaking(true)}>
            <Plus size={14} aria-hidden="true" /> Create key
          </button>
        )
      }
    >
      <Loaded response={keys} failure="Could not load the keys." rows={3}>
        {(all) => (
          <>
            {(isMaking || activeCount === 0) && (
              <div className={`p-3 ${all.length > 0 ? 'border-b border-line' : ''}`}>
                {activeCount === 0 && (
                  <p className="mb-3 flex items-center gap-2 text-section font-semibold">
                    <KeyRound size={16} aria-hidden="true" className="text-accent" /> Create your first key
                  </p>
                )}
                <CreateKeyForm
                  onMade={() => setMaking(false)}
                  {...(activeCount > 0 ? { onCancel: () => setMaking(false) } : {})}
                />
              </div>
            )}
            <ul aria-label="API keys">
              {all.map((key) => (
                <KeyRow key={key.id} apiKey={key} onAct={(act) => setRequested({ key, act })} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {requested?.act === 'change' && <ChangeKeyDialog apiKey={requested.key} onClose={close} />}
      {requested?.act === 'rotate' && <RotateKeyDialog apiKey={requested.key} onClose={close} />}
      {requested?.act === 'revoke' && <RevokeKeyDialog apiKey={requested.key} onClose={close} />}
    </Panel>
  );
}

const acts: readonly { act: Act; label: string }[] = [
  { act: 'change', label: 'Edit' },
  { act: 'rotate', label: 'Rotate' },
  { act: 'revoke', label: 'Revoke' },
];

function KeyRow({ apiKey, onAct }: { apiKey: ApiKey; onAct: (act: Act) => void }) {
  const { name, mode, masked, active, previous } = apiKey;
  return (
    <li className="flex items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2.5 last:border-b-0 max-md:flex-col max-md:items-stretch">
      <div className={`min-w-0 flex-1 ${active ? '' : 'text-muted'}`}>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-semibold break-words">{name}</span>
          <KeyModeBadge mode={mode} />
          <code className="font-mono text-label text-muted">{masked}</code>
          {!active && <span className="text-label font-semibold text-down">Revoked</span>}
        </p>
        <p className="text-label text-muted">
          <LastUse apiKey={apiKey} />
        </p>
        <p className="text-label break-words text-muted">{rightsOf(apiKey)}</p>
        {previous !== null && (
          <p className="text-label text-warn">
            The previous key <code className="font-mono">{previous.masked}</code> works until{' '}
            <Time at={previous.expires_at} />
          </p>
        )}
      </div>
      {active && (
        <div className="flex gap-2">
          {acts.map(({ act, label }) => (
            <button
              key={act}
              type="button"
              className={`btn btn-small ${act === 'revoke' ? 'btn-danger' : ''}`}
              aria-label={`${label} ${name}`}
              onClick={() => onAct(act)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}

function LastUse({ apiKey: { last_used_at: at, last_used_ip: ip } }: { apiKey: ApiKey }) {
  if (at === null) return 'Never used';
  return (
    <>
      Last used <Time at={at} /> from <span className="font-mono">{ip}</span>
    </>
  );
}

function rightsOf(key: ApiKey): string {
  const scopes = key.scopes.length === 0 ? 'Read only' : key.scopes.join(', ');
  const addresses = key.ip_allowlist.length === 0 ? 'any address' : key.ip_allowlist.join(', ');
  if (key.mode === 'test') return `${scopes} · ${addresses} · no credits`;
  const spent = formatMany(key.credits_this_month, 'credit');
  const credits = key.credit_cap === null ? `${spent} this month` : `${spent} of ${key.credit_cap} this month`;
  return `${scopes} · ${addresses} · ${credits}`;
}

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Name and rights of a key; changes apply at once. */
function ChangeKeyDialog({ apiKey, onClose }: Props) {
  const { draft, errors, edit, read, showRejection } = useKeyDraft(draftOf(apiKey));
  const change = useChangeKey();
  const submit = (): void => {
    const request = read();
    if (request === null) return;
    change.mutate(
      { id: apiKey.id, change: request },
      {
        onSuccess: () => {
          toast('Key changed', 'success');
          onClose();
        },
        onError: (failure) => {
          showRejection(failure);
          toastFailure('Could not change the key', failure);
        },
      },
    );
  };
  return (
    <Dialog title={`Edit ${apiKey.name}`} text="Changes apply from the next call." isOpen onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <KeyFields draft={draft} errors={errors} isFolded={false} onChange={edit} />
        <DialogButtons label="Save" isBusy={change.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

const overlapNames: Record<Overlap, string> = { no_longer: 'No longer', hour: 'An hour', day: 'A day' };
const overlaps = ['no_longer', 'hour', 'day'] as const satisfies readonly Overlap[];

/** A new secret for the same key: name, rights and history stay. */
function RotateKeyDialog({ apiKey, onClose }: Props) {
  const [overlap, setOverlap] = useState<Overlap>('hour');
  const rotate = useRotateKey();
  const submit = (): void =>
    rotate.mutate(
      { id: apiKey.id, overlap },
      {
        onSuccess: () => {
          onClose();
          window.scrollTo(0, 0);
        },
        onError: (failure) => toastFailure('Could not rotate the key', failure),
      },
    );
  return (
    <ConfirmDialog
      title={`Rotate ${apiKey.name}`}
      text="Get a new key with the same name and rights. Choose how long the old one works."
      label="Rotate"
      isBusy={rotate.isPending}
      onConfirm={submit}
      onClose={onClose}
    >
      <Segments
        label="The old key works"
        options={overlaps}
        value={overlap}
        nameOf={(value) => overlapNames[value]}
        onSelect={setOverlap}
      />
    </ConfirmDialog>
  );
}

function RevokeKeyDialog({ apiKey, onClose }: Props) {
  const revoke = useRevokeKey();
  return (
    <RemovalDialog
      title={`Revoke ${apiKey.name}?`}
      text="Programs using it lose access within 5 seconds. This is final."
      label="Revoke"
      isBusy={revoke.isPending}
      remove={() => revoke.mutateAsync(apiKey.id)}
      done="Key revoked"
      failed="Could not revoke the key"
      onClose={onClose}
    />
  );
}
