import { useEffect } from 'react';
import { useDocumentation, useErrorInfo } from '../../api/apiDocs.ts';
import type { ErrorInfo } from '../../api/types.ts';
import { openPage } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { type PageId, tabPages } from '../../state/tabPages.ts';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { DocTable, InlineCode, PlanLimits } from './DocTables.tsx';

/** The first call, the way to every page, and what holds for all calls. */
export function OverviewPage() {
  const documentation = useDocumentation();
  return (
    <>
      <Panel title="Signals and market data for your programs">
        <Loaded answer={documentation} failure="The documentation could not be read." rows={6}>
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
      <ErrorInfoPanels />
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
          An agent that speaks the Model Context Protocol reads markets, signals and your positions and runs backtests
          with your key: same scopes, limits and credits. It opens no positions. Every backtest and search it runs comes
          with the honesty verdict. <ArticleLink slug="mcp-agents">Tools and scopes</ArticleLink>
        </p>
        <CodeBlock label="Client configuration" text={JSON.stringify({ mcpServers: { sextant: server } }, null, 2)} />
      </div>
    </Panel>
  );
}

function Contents({
  calls,
}: {
  calls: readonly { page: PageId<'api-docs'>; method: string; path: string; summary: string }[];
}) {
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
