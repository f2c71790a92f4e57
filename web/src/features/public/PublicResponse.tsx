import type { ReactNode } from 'react';
import { messageOf } from '../../api/failure.ts';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';

interface Props<T> {
  response: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** Shown when it cannot be read. */
  failure: string;
  children: (data: T) => ReactNode;
}

/** The content of a public page, as high as the window while it loads or failed, so that the footer stays in its place. */
export function PublicResponse<T>({ response: { data, error, refetch }, failure, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error !== null)
    return (
      <div className="min-h-dvh">
        <ErrorState failure={error} text={messageOf(error, failure)} onRetry={() => void refetch()} />
      </div>
    );
  return (
    <div className="panel min-h-dvh">
      <SkeletonRows rows={10} />
    </div>
  );
}
