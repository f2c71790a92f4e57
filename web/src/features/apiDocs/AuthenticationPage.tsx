import { apiScopeNames, apiScopes, defaultScopes } from '@sextant/workers/src/apiAccess.ts';
import { openTab } from '../../state/navigation.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CallList } from './CallList.tsx';

/** Two ways to say who calls, and what a key may do. */
export function AuthenticationPage() {
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
            With a test key, while you build: it answers from a sandbox with a frozen market, costs no credits and gives
            the same bytes every day. The answers shown beside the examples are those of the sandbox. What the sandbox
            does not have is refused with not_in_sandbox.
          </p>
          <CodeBlock label="Header with a test key" text="x-api-key: sx_test_..." />
          <p>With a session token from POST /api/auth/signin, for your own client:</p>
          <CodeBlock label="Header with a session token" text="Authorization: Bearer <token>" />
          <p className="text-muted">
            A wrong or revoked key is answered with 401. A key without the scope of a call, or from an address it does
            not allow, is answered with 403. A key cannot make keys, change the account or buy plans.
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
