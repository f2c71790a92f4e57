import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { Children, type ReactNode } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';

/** On a slow line the answer is waited for; without a network a query waits for one, and the retry does not. */
const waitMs = () => (onlineManager.isOnline() ? 30_000 : 3000);

/**
 * Each child fails alone: a fault while it works out what its panel shows lies outside of the panel's own body, and would
 * take the view along. Trying again reads the data anew first, since the same data would fail the same way.
 */
export function Guarded({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const readAnew = async () => {
    client.removeQueries({ type: 'inactive' });
    const enough = new Promise((resolve) => setTimeout(resolve, waitMs()));
    await Promise.race([client.refetchQueries({ type: 'active' }), enough]);
  };
  return Children.map(children, (child) =>
    child === null || typeof child === 'boolean' ? (
      child
    ) : (
      <ErrorBoundary place="panel" onRetry={readAnew}>
        {child}
      </ErrorBoundary>
    ),
  );
}
