// Long because it is one tab with its four pages.
import { apiScopeNames, apiScopes, CALLS_SHOWN, defaultScopes } from '@sextant/workers/src/core/apiAccess.ts';
import { WEBHOOK_SPAN_TEXT } from '@sextant/workers/src/core/webhooks.ts';
import { useEffect, useState } from 'react';
import { useApiCalls, useApiUsage } from '../../data/apiAccess.ts';
import { useDocumentation, useErrorInfo } from '../../api/apiDocs.ts';
import { messageOf } from '../../api/failure.ts';
import type { DocumentedCall, ErrorInfo } from '../../api/types.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../format/number.ts';
import { openPage, openTab } from '../../state/navigation.ts';
import { type PageId, tabPages, useOpenPage } from '../../state/tabPages.ts';
import { toast } from '../../state/toasts.ts';
import { CallTable } from '../shared/apiAccess/CallTable.tsx';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { EmptyState, ErrorState, Loaded, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { CallList, DocTable, InlineCode, PlanLimits } from './CallList.tsx';
import { Sidebar } from './Sidebar.tsx';

const TAB = 'api-docs';

const views: Record<PageId<typeof TAB>, () => React.ReactNode> = {
  overview: OverviewPage,
  authentication: AuthenticationPage,
  signals: () => <CallList page="signals" />,
  market: () => <CallList page="market" />,
  analysis: () => <CallList page="analysis" />,
  webhooks: WebhooksPage,
  usage: UsagePage,
};

/** Documentation of the API, rendered from its OpenAPI document. */
export function ApiDocsTab() {
  const page = useOpenPage(TAB);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="API Docs" pages={tabPages[TAB]} page={page} layout="full" aside={<ManagerButtons />}>
      <div className="mx-auto grid w-full max-w-320 grid-cols-[minmax(0,1fr)_280px] items-start gap-4 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="md:hidden">
            <ManagerButtons />
          </div>
          <View />
        </div>
        <Sidebar />
      </div>
    </PagedTab>
  );
}

function ManagerButtons() {
  return (
    <div className="flex gap-2">
      <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'plans')}>
        API Manager
      </button>
      <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'current')}>
        Manage Keys
      </button>
    </div>
  );
}

/** The first call, links to every page, and rules common to all calls. */
function OverviewPage() {
  const documentation = useDocumentation();
  return (
    <>
      <Panel title="Signals and market data for your programs">
        <Loaded response={documentation} failure="Could not load the documentation." rows={6}>
          {({ base_url: baseUrl, calls }) => (
            <div className="flex flex-col gap-4">
              <p>
                JSON over HTTP at <code className="font-mono">{baseUrl}</code>. Send your key in the header{' '}
                <code className="font-mono">x-api-key</code>:
              </p>
              <CodeBlock
                label="A first signal with cURL"
                text={calls.find(({ path }) => path === '/api/futures-signal')?.examples.curl ?? ''}
              />
              <Contents calls={calls} />
            </div>
          )}
        </Loaded>
      </Panel>
      {documentation.data !== undefined && <AgentsPanel baseUrl={documentation.data.base_url} />}
      {/* Fetched at once, shown once the tall panel above is there: it would push them out of sight. */}
      <div className={documentation.isPending ? 'hidden' : 'contents'}>
        <ErrorInfoPanels />
      </div>
    </>
  );
}

/** Configuration of an agent's client. The key is typed there and not here: the text is copied into files. */
function AgentsPanel({ baseUrl }: { baseUrl: string }) {
  const server = {
    type: 'http',
    url: `${baseUrl}/mcp`,
    headers: { Authorization: 'Bearer sx_live_...' },
  };
  return (
    <Panel title="AI agents (MCP)">
      <div className="flex flex-col gap-3">
        <p>
          Connect an AI agent through the Model Context Protocol (MCP). It reads markets, signals and your positions,
          and runs backtests with your key: same scopes, limits and credits. It cannot open positions. Each backtest and
          search includes the honesty verdict. <ArticleLink slug="mcp-agents">Tools and scopes</ArticleLink>
        </p>
        <CodeBlock label="Client configuration" text={JSON.stringify({ mcpServers: { sextant: server } }, null, 2)} />
      </div>
    </Panel>
  );
}

function Contents({ calls }: { calls: readonly DocumentedCall[] }) {
  return (
    <ul className="grid gap-3 md:grid-cols-2">
      {tabPages['api-docs']
        .filter(({ id }) => calls.some((call) => call.page === id))
        .map(({ id, label }) => (
          <li key={id} className="rounded border border-line p-3">
            <button
              type="button"
              className="font-semibold text-accent underline"
              onClick={() => openPage('api-docs', id)}
            >
              {label}
            </button>
            <ul className="mt-1 flex flex-col gap-1">
              {calls
                .filter((call) => call.page === id)
                .map(({ method, path, summary }) => (
                  <li key={path} className="text-label">
                    <code className="font-mono break-all">
                      {method} {path}
                    </code>
                    <br />
                    <span className="text-muted">{summary}</span>
                  </li>
                ))}
            </ul>
          </li>
        ))}
    </ul>
  );
}

const noInfo: ErrorInfo = { error_codes: [], rate_limits: [], best_practices: [] };

function ErrorInfoPanels() {
  const info = useErrorInfo();
  const { errorUpdatedAt } = info;
  useEffect(() => {
    if (errorUpdatedAt > 0) toast('Failed to fetch error information', 'error');
  }, [errorUpdatedAt]);
  if (info.isPending) return <SkeletonRows rows={4} />;
  const { error_codes: codes, best_practices: practices } = info.data ?? noInfo;
  return (
    <>
      {info.isError && <ErrorState text="Failed to fetch error information" onRetry={() => void info.refetch()} />}
      <PlanLimits />
      {practices.length > 0 && (
        <Panel title="Good practice">
          <ul className="flex list-disc flex-col gap-1 pl-4">
            {practices.map((text) => (
              <li key={text}>
                <InlineCode text={text} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {codes.length > 0 && (
        <Panel title="Error codes" bodyClassName="max-h-100 overflow-y-auto">
          <DocTable title="Error codes" columns={['Code', 'Status', 'Meaning']}>
            {codes.map(({ code, status, title }) => (
              <tr key={code}>
                <th className="lead font-mono" scope="row">
                  {code}
                </th>
                <td className="lead">{status}</td>
                <td className="lead wraps min-w-50">{title}</td>
              </tr>
            ))}
          </DocTable>
        </Panel>
      )}
    </>
  );
}

/** Authentication by key or session, and the permissions of a key. */
function AuthenticationPage() {
  return (
    <>
      <Panel
        title="Two ways to sign in"
        aside={
          <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'current')}>
            Manage Keys
          </button>
        }
      >
        <div className="flex flex-col gap-3">
          <p>With an API key, for programs:</p>
          <CodeBlock label="Header with an API key" text="x-api-key: sx_live_..." />
          <p>
            Build with a test key: a free sandbox with a frozen market and the same bytes every day. Example responses
            come from the sandbox. Missing data returns not_in_sandbox.
          </p>
          <CodeBlock label="Header with a test key" text="x-api-key: sx_test_..." />
          <p>With a session token from POST /api/auth/signin, for your own client:</p>
          <CodeBlock label="Header with a session token" text="Authorization: Bearer <token>" />
          <p className="text-muted">
            A wrong or revoked key gets 401. A missing scope or a blocked address gets 403. Keys cannot create keys,
            change the account or buy plans.
          </p>
        </div>
      </Panel>
      <Panel title="Scopes" bodyClassName="">
        <table className="table">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Scope
              </th>
              <th className="lead" scope="col">
                Allows
              </th>
              <th scope="col">Without a list</th>
            </tr>
          </thead>
          <tbody>
            {apiScopeNames.map((scope) => (
              <tr key={scope}>
                <th className="lead font-mono" scope="row">
                  {scope}
                </th>
                <td className="lead wraps">{apiScopes[scope]}</td>
                <td>{defaultScopes.includes(scope) ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <CallList page="authentication" />
    </>
  );
}

/** Figures of 24 hours and the newest calls, fetched on request. */
function UsagePage() {
  const [isWanted, setWanted] = useState(false);
  const usage = useApiUsage(isWanted);
  const calls = useApiCalls({}, CALLS_SHOWN, isWanted);
  const isReading = isWanted && (usage.isPending || calls.isPending);
  // Hides previous data while loading: it would pass for the newest.
  const failure = isReading ? null : (calls.error ?? usage.error);
  const day = isReading || usage.isError ? undefined : usage.data;
  const newest = isReading || calls.isError ? undefined : calls.data;
  const load = (): void => {
    setWanted(true);
    if (isWanted) void Promise.all([usage.refetch(), calls.refetch()]);
  };
  return (
    <>
      <Panel
        title="Your calls"
        bodyClassName=""
        aside={
          isWanted && (
            <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'usage')}>
              Charts and filters
            </button>
          )
        }
      >
        <div className="flex flex-wrap items-center gap-x-8 gap-y-3 border-b border-line p-3">
          <button type="button" className="btn btn-primary" disabled={isReading} onClick={load}>
            {isReading ? 'Processing...' : 'Load Usage Logs'}
          </button>
          {day !== undefined && <DayFigures usage={day} />}
        </div>
        {failure !== null && (
          <div className="p-3">
            <ErrorState failure={failure} text={messageOf(failure, 'Could not load the usage logs.')} onRetry={load} />
          </div>
        )}
        {newest !== undefined && <Newest calls={newest} />}
      </Panel>
      <PlanLimits />
      <CallList page="usage" />
    </>
  );
}

function DayFigures({ usage }: { usage: NonNullable<ReturnType<typeof useApiUsage>['data']> }) {
  if (usage.total === 0) return <p className="text-muted">No usage data available for the last 24 hours.</p>;
  const figures: [string, string][] = [
    ['Requests, 24 h', formatCount(usage.total)],
    ['Success rate', formatPercent(usage.success_rate)],
    ['Average time', usage.avg_ms === null ? NO_VALUE : `${formatFixed(usage.avg_ms, 1)} ms`],
    ['95th percentile', usage.p95_ms === null ? NO_VALUE : `${formatFixed(usage.p95_ms, 1)} ms`],
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-label text-muted">{name}</dt>
          <dd className="text-section font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Newest({ calls }: { calls: Parameters<typeof CallTable>[0]['calls'] }) {
  if (calls.length === 0)
    return <EmptyState text="No API calls recorded yet. Make your first API request to see logs here." />;
  return <CallTable calls={calls} />;
}

const articles = [
  { slug: 'webhooks', name: 'How delivery, retries and sequence numbers work' },
  { slug: 'webhook-events', name: 'Events and their bodies' },
  { slug: 'webhook-signatures', name: 'Verify signatures, with programs and test vectors' },
  { slug: 'webhook-does-not-arrive', name: 'Missing messages' },
];

/** Webhooks: what to read first, and the calls that manage them. */
function WebhooksPage() {
  return (
    <>
      <Panel
        title="Webhooks"
        aside={
          <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'webhooks')}>
            Manage webhooks
          </button>
        }
      >
        <p>
          Get a signed POST for signals, position changes, completed payments, low credits and ending plans. Respond
          with 2xx; anything else is retried for {WEBHOOK_SPAN_TEXT}.
        </p>
        <ul className="mt-2 flex flex-col gap-1">
          {articles.map(({ slug, name }) => (
            <li key={slug}>
              <ArticleLink slug={slug}>{name}</ArticleLink>
            </li>
          ))}
        </ul>
      </Panel>
      <CallList page="webhooks" />
    </>
  );
}
