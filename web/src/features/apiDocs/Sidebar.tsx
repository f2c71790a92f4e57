import { Download } from 'lucide-react';
import { proxy, useSnapshot } from 'valtio';
import { type HealthCheck, useCollections, useHealthCheck } from '../../api/apiDocs.ts';
import { statusPartNames, useStatus } from '../../api/status.ts';
import { useTestWebhook, useWebhookState } from '../../data/webhooks.ts';
import { formatFixed, formatMany, NO_VALUE } from '../../format/number.ts';
import { keyInHand } from '../../state/keyInHand.ts';
import { openTab } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { CopyButton } from '../../ui/CodeBlock.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';

/** Status of the API, the key to try calls with, and files for other clients. */
export function Sidebar() {
  return (
    <aside aria-label="API status and files" className="flex min-w-0 flex-col gap-4">
      <StatusPanel />
      <WebhookPanel />
      <KeyPanel />
      <FilesPanel />
    </aside>
  );
}

/** As high before the first response as after it: the buttons below do not move. */
function StatusPanel() {
  const { data: check } = useHealthCheck();
  const looks = check === undefined ? statusLooks.loading : statusLooks[check.status];
  return (
    <Panel title="API Status">
      <StatusLine {...looks} />
      <p className="mt-1 text-label text-muted">{check?.message ?? 'Checking the API.'}</p>
      <StatusFigures check={check} />
    </Panel>
  );
}

const statusLooks = {
  loading: { dot: 'bg-muted', text: 'Loading' },
  online: { dot: 'bg-up', text: 'Online' },
  offline: { dot: 'bg-down', text: 'Offline' },
} as const;

const StatusLine = ({ dot, text }: { dot: string; text: string }) => (
  <p role="status" className="flex items-center gap-2 text-section font-semibold">
    <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
    {text}
  </p>
);

/** The server's own probes where they cover a whole day, else the checks of this page. */
function StatusFigures({ check }: { check: HealthCheck | undefined }) {
  const signals = useStatus().data?.parts.find(({ part }) => part === 'signals');
  const probed = check?.status === 'online' ? (signals?.uptime ?? null) : null;
  // Rounded down: one minute down is not 100 %.
  const uptime = probed === null ? check?.uptime : Math.floor(probed.fraction * 100) / 100;
  const span = probed?.days === 1 ? '24 hours' : formatMany(probed?.days ?? 0, 'day');
  return (
    <>
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <div>
          <dt className="text-label text-muted">Response time</dt>
          <dd className="font-semibold">{responseText(check)}</dd>
        </div>
        <div>
          <dt className="text-label text-muted">Uptime</dt>
          <dd className="font-semibold">{uptimeText(uptime)}</dd>
        </div>
      </dl>
      <p className="mt-2 text-label text-muted">
        {probed === null
          ? `Measured from this browser: ${formatMany(check?.checkCount ?? 0, 'check')}, one a minute. `
          : `Uptime of the signal API in the last ${span}, from probes each minute. `}
        <a href="/status" target="_blank" rel="noopener" className="text-accent underline underline-offset-2">
          Status page
        </a>
      </p>
      <PartStates />
    </>
  );
}

const uptimeText = (uptime: number | undefined): string =>
  uptime === undefined ? NO_VALUE : `${formatFixed(uptime * 100, 0)}%`;

function responseText(check: HealthCheck | undefined): string {
  if (check === undefined) return NO_VALUE;
  return check.responseTime === null ? 'N/A' : `${formatFixed(check.responseTime, 0)} ms`;
}

const partLooks = {
  up: { dot: 'bg-up', text: 'operational' },
  down: { dot: 'bg-down', text: 'down' },
  unknown: { dot: 'bg-muted', text: 'not known' },
} as const;

/** Reserve the room of the list, invisibly, until the first response. */
const unknownParts = Object.keys(statusPartNames)
  .filter((part) => part !== 'service')
  .map((part) => ({ part: part as keyof typeof statusPartNames, state: 'unknown' as const }));

/** State of each service the server uses, from its probes. */
function PartStates() {
  const { data, isError } = useStatus();
  if (data === undefined && isError) return null;
  return (
    <ul
      aria-label="Services"
      className={`mt-3 grid grid-cols-2 gap-x-3 gap-y-1 border-t border-line pt-2 text-label ${data === undefined ? 'invisible' : ''}`}
    >
      {(data?.parts ?? unknownParts).map(({ part, state }) => (
        <li key={part} className="flex min-w-0 items-center gap-2" title={partLooks[state].text}>
          <span aria-hidden="true" className={`size-1.5 shrink-0 rounded-full ${partLooks[state].dot}`} />
          <span className="truncate">
            {statusPartNames[part]}
            <span className="sr-only">: {partLooks[state].text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const webhookLooks = {
  inactive: { dot: 'bg-muted', label: 'Inactive' },
  testing: { dot: 'bg-warn', label: 'Testing' },
  active: { dot: 'bg-up', label: 'Active' },
} as const;

/** Result of the newest webhook test. Without a webhook the button leads to the page that creates one. */
function WebhookPanel() {
  const { state, testedAt, count } = useWebhookState();
  const test = useTestWebhook();
  const { dot, label } = webhookLooks[state];
  return (
    <Panel title="Webhook Status">
      <p role="status" className="flex items-center gap-2 text-section font-semibold">
        <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
        {label}
      </p>
      <p className="mt-1 text-label text-muted">
        {testedAt === null ? (
          'Never tested'
        ) : (
          <>
            Last test <Time at={testedAt} />
          </>
        )}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-small"
          disabled={state === 'testing' || count === 0}
          onClick={() => test.mutate({})}
        >
          Test Webhook
        </button>
        <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'webhooks')}>
          {count === 0 ? 'Create a webhook' : 'Manage webhooks'}
        </button>
      </div>
    </Panel>
  );
}

function KeyPanel() {
  const { typed } = useSnapshot(docsKey);
  const { key, name } = useSnapshot(keyInHand);
  return (
    <Panel title="Try calls as">
      <TextField
        label="API key"
        name="docs-key"
        type="password"
        autoComplete="off"
        hint={
          key !== null
            ? `Empty: your new key ${name}.`
            : 'Empty: your session. Calls with a key are counted and logged. The key stays on this page.'
        }
        value={typed}
        onChange={(text) => {
          docsKey.typed = text;
        }}
      />
      <button type="button" className="btn btn-small mt-2" onClick={() => openTab('api-manager', 'current')}>
        Make a key
      </button>
    </Panel>
  );
}

const clients = { postman: 'Postman', insomnia: 'Insomnia' } as const;
type ClientId = keyof typeof clients;
const clientIds = Object.keys(clients) as ClientId[];

function FilesPanel() {
  const collections = useCollections();
  const entryOf = (name: string) => collections.data?.find((each) => each.name === name);
  const examples = entryOf('curl')?.collection_data.examples ?? [];
  async function download(id: ClientId): Promise<void> {
    const { data, isError } = entryOf(id) === undefined ? await collections.refetch() : collections;
    const match = data?.find((each) => each.name === id);
    if (match === undefined) {
      const isFailed = isError && data === undefined;
      toast(isFailed ? `Failed to get ${clients[id]} collection` : `${clients[id]} collection not found`, 'error');
      return;
    }
    const link = document.createElement('a');
    link.href = match.download_url;
    link.download = '';
    link.click();
    toast(`${clients[id]} collection download started`, 'success');
  }
  return (
    <Panel title="Quick actions">
      <ul className="flex flex-col gap-2">
        {clientIds.map((id) => (
          <li key={id} className="flex flex-wrap gap-2">
            <button type="button" className="btn btn-small flex-1" onClick={() => void download(id)}>
              <Download size={14} aria-hidden="true" /> {clients[id]}
            </button>
            {entryOf(id) !== undefined && (
              <CopyButton
                text={entryOf(id)?.import_url ?? ''}
                label="Import URL"
                name={`Copy the import URL for ${clients[id]}`}
              />
            )}
          </li>
        ))}
        {examples.length > 0 && (
          <li>
            <CopyButton
              text={examples.map(({ curl }) => curl).join('\n\n')}
              label="Copy all cURL examples"
              className="btn btn-small w-full"
            />
          </li>
        )}
        <li>
          <a href="/api-documentation" target="_blank" rel="noopener" className="btn btn-small w-full">
            All API calls
          </a>
        </li>
      </ul>
    </Panel>
  );
}

/** The key that is typed in to try calls with. In memory only. */
const docsKey = proxy<{ typed: string }>({ typed: '' });

/** The key to send: the typed one, else the one just created; null sends the session. */
export const keyToSend = (): string | null => {
  const typed = docsKey.typed.trim();
  return typed === '' ? keyInHand.key : typed;
};

onUserReset(() => {
  docsKey.typed = '';
});
