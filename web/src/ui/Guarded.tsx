import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { Children, type ReactNode } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';

/** Waits for the response on a slow line; offline, queries pause until reconnection and the retry does not wait for them. */
const waitMs = () => (onlineManager.isOnline() ? 30_000 : 3000);

/**
 * Each child fails alone: a fault while it computes what its panel shows is outside the panel's own body, and would break the view. A retry
 * refetches the data first, since the same data would fail the same way.
 */
export function Guarded({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const readAgain = async () => {
    client.removeQueries({ type: 'inactive' });
    const enough = new Promise((resolve) => setTimeout(resolve, waitMs()));
    await Promise.race([client.refetchQueries({ type: 'active' }), enough]);
  };
  return Children.map(children, (child) =>
    child === null || typeof child === 'boolean' ? (
      child
    ) : (
      <ErrorBoundary place="panel" onRetry={readAgain}>
        {child}
      </ErrorBoundary>
    ),
  );
}
