import type { ReactNode } from 'react';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import type { GhostShape } from './Ghost.tsx';
import { late } from './late.tsx';
import { Notice } from './Notice.tsx';

interface Props {
  id?: string;
  title: ReactNode;
  /** Age or source, at the right of the title. */
  aside?: ReactNode;
  className?: string;
  bodyClassName?: string;
  children: ReactNode;
}

/** A framed part of a page. An error in its body does not leave it. Without data it shows one of the states below. */
export function Panel({ id, title, aside, className = '', bodyClassName = 'p-3', children }: Props) {
  return (
    <section id={id} className={`panel ${className}`}>
      <header className="flex h-9 shrink-0 items-center justify-between gap-3 border-b border-line px-3">
        <h2 className="truncate text-body font-semibold">{title}</h2>
        {aside !== undefined && <div className="shrink-0 text-label text-muted">{aside}</div>}
      </header>
      <div className={`min-h-0 flex-1 ${bodyClassName}`}>
        <ErrorBoundary place="panel">{children}</ErrorBoundary>
      </div>
    </section>
  );
}

/** Late: only the places of a new account need it. */
const lateGhost = late(async () => (await import('./Ghost.tsx')).Ghost);

interface EmptyProps {
  text: string;
  /** Outline of the content to come, for a place that would be empty otherwise. */
  ghost?: GhostShape;
  /** The one action that fills the panel. */
  children?: ReactNode;
}

export function EmptyState({ text, ghost, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-center justify-center gap-3 px-4 py-8 text-center">
      <p className="max-w-80 text-muted">{text}</p>
      {children}
      {ghost !== undefined && <lateGhost.View shape={ghost} />}
    </div>
  );
}

/** Loaded late: the public pages show errors too, without the list of topics until then. */
const errorHelp = late(async () => (await import('./HelpLink.tsx')).ErrorHelp);

interface ErrorProps {
  text: string;
  /** The thrown value: an API error links to the help for its code. */
  failure?: unknown;
  onRetry?: (() => void) | undefined;
}

/** Shows the message of the failure; the last known data stays on screen beside it. */
export function ErrorState({ text, failure, onRetry }: ErrorProps) {
  return (
    <Notice
      tone="error"
      action={
        onRetry && (
          <button type="button" className="btn btn-small" onClick={onRetry}>
            Try again
          </button>
        )
      }
    >
      {text} {failure instanceof ApiFailure && <errorHelp.View code={failure.code} />}
    </Notice>
  );
}

export function SkeletonRows({ rows, height = 16 }: { rows: number; height?: number }) {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 p-3">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton" style={{ height, width: `${92 - ((row * 17) % 30)}%` }} />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  response: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** Fallback text when the server sends no message. */
  failure: string;
  /** Lines of the skeleton. */
  rows: number;
  children: (data: T) => ReactNode;
}

/** A skeleton until the response arrives, the reason when it fails; the last known data stays visible. */
export function Loaded<T>({ response: { data, error, refetch }, failure, rows, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (error === null) return <SkeletonRows rows={rows} height={14} />;
  return (
    <div className="p-3">
      <ErrorState failure={error} text={messageOf(error, failure)} onRetry={() => void refetch()} />
    </div>
  );
}
