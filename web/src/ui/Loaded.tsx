import type { ReactNode } from 'react';
import { messageOf } from '../api/failure.ts';
import { ErrorState, SkeletonRows } from './Panel.tsx';

interface Props<T> {
  answer: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** What could not be read, when the server gives no words of its own. */
  failure: string;
  /** Lines of the skeleton. */
  rows: number;
  children: (data: T) => ReactNode;
}

/** A skeleton until the answer is there, the reason when it cannot be had; what was known last stays in sight. */
export function Loaded<T>({ answer: { data, error, refetch }, failure, rows, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error === null) return <SkeletonRows rows={rows} height={14} />;
  return (
    <div className="p-3">
      <ErrorState failure={error} text={messageOf(error, failure)} onRetry={() => void refetch()} />
    </div>
  );
}
