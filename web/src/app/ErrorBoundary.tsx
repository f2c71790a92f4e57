import { Component, type ErrorInfo, type ReactNode } from 'react';

interface Props {
  /** `page` fills the window, `tab` leaves the shell usable. */
  place: 'page' | 'tab';
  children: ReactNode;
}

/** A fault in one view shows words and a way on, never a blank page. */
export class ErrorBoundary extends Component<Props, { fault: Error | null }> {
  override state: { fault: Error | null } = { fault: null };

  static getDerivedStateFromError(fault: unknown) {
    return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
  }

  override componentDidCatch(fault: Error, info: ErrorInfo): void {
    reportError(new Error(`${fault.message}${info.componentStack ?? ''}`, { cause: fault }));
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    // A file of an older release is gone after an update: only loading the page anew helps.
    const isOldPage = /dynamically imported module|module script/i.test(fault.message);
    return (
      <div role="alert" className={`grid place-items-center p-6 ${this.props.place === 'page' ? 'min-h-dvh' : ''}`}>
        <div className="panel max-w-120 gap-3 p-4">
          <h1 className="text-section font-semibold">
            {isOldPage ? 'A new version is available' : 'This view failed'}
          </h1>
          <p className="text-muted">
            {isOldPage
              ? 'The page is older than the server. Reload to continue; nothing on the server was changed.'
              : `${fault.message}. Nothing on the server was changed.`}
          </p>
          <div className="flex gap-2">
            <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
              Reload the page
            </button>
            {!isOldPage && (
              <button type="button" className="btn" onClick={() => this.setState({ fault: null })}>
                Try again
              </button>
            )}
          </div>
        </div>
      </div>
    );
  }
}
