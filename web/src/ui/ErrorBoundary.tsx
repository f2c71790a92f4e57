import { Component, type ErrorInfo, type ReactNode } from 'react';
import { MissingFile } from './lateFiles.ts';
import { Notice } from './Notice.tsx';

interface Props {
  /** `page` fills the window, `tab` leaves the shell usable, `panel` leaves the rest of the tab usable. */
  place: 'page' | 'tab' | 'panel';
  /** Called, and waited for, before the children are drawn again. */
  onRetry?: () => void | Promise<void>;
  children: ReactNode;
}

const texts = {
  page: { title: 'This page failed', text: 'Your data is unchanged. Try again, or reload the page.' },
  tab: { title: 'This view failed', text: 'The other tabs work, and your data is unchanged.' },
  panel: { title: '', text: 'This part of the page failed. The rest works, and your data is unchanged.' },
} as const;

/** A file that failed to load, in a view and in a part of one. */
const missing = {
  online: {
    title: 'A part of the page did not load',
    text: 'The connection failed. Your data is unchanged.',
  },
  offline: { title: 'Not loaded yet', text: 'You are offline. Try again when connected.' },
} as const;
const partMissing = {
  online: 'This part of the page did not load. Your data is unchanged.',
  offline: 'This part of the page did not load: you are offline.',
} as const;

interface State {
  fault: Error | null;
  isTrying: boolean;
}

/** A rendering error shows a message and a retry, never a blank page. The error itself goes to the console only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { fault: null, isTrying: false };

  static getDerivedStateFromError(fault: unknown): Partial<State> {
    return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
  }

  override componentDidCatch(fault: Error, info: ErrorInfo): void {
    reportError(new Error(`${fault.message}${info.componentStack ?? ''}`, { cause: fault }));
  }

  readonly #retry = async () => {
    this.setState({ isTrying: true });
    await this.props.onRetry?.();
    this.setState({ fault: null, isTrying: false });
  };

  override render(): ReactNode {
    const { place, children } = this.props;
    const { fault, isTrying } = this.state;
    if (fault === null) return children;
    const isFileMissing = fault instanceof MissingFile;
    // After an update the files of the previous release are gone, and browsers do not request a failed module again: only a reload helps.
    const isReloadNeeded = isFileMissing
      ? fault.isGone
      : /dynamically imported module|module script/i.test(fault.message);
    if (isReloadNeeded && navigator.onLine) return <OldPage place={place} />;
    const network = navigator.onLine ? 'online' : 'offline';
    if (place === 'panel') {
      const text = isFileMissing ? partMissing[network] : texts.panel.text;
      return (
        <div className="p-3">
          <Notice
            tone="error"
            action={
              <button type="button" className="btn btn-small" disabled={isTrying} onClick={() => void this.#retry()}>
                {isTrying ? 'Reading' : 'Try again'}
              </button>
            }
          >
            {text}
          </Notice>
        </div>
      );
    }
    const { title, text } = isFileMissing ? missing[network] : texts[place];
    return (
      <Card place={place} title={title} text={text}>
        <button type="button" className="btn btn-primary" onClick={() => void this.#retry()}>
          Try again
        </button>
        <button type="button" className="btn" onClick={() => location.reload()}>
          Reload the page
        </button>
      </Card>
    );
  }
}

/** Shown when the server does not have a file of the page any more. */
function OldPage({ place }: Pick<Props, 'place'>) {
  return (
    <Card
      place={place}
      title="A part of the page did not load"
      text="A new version may be installed. Your data is unchanged."
    >
      <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
        Reload the page
      </button>
    </Card>
  );
}

interface CardProps {
  place: Props['place'];
  title: string;
  text: string;
  children: ReactNode;
}

function Card({ place, title, text, children }: CardProps) {
  return (
    <div role="alert" className={`grid place-items-center p-6 ${place === 'page' ? 'min-h-dvh' : ''}`}>
      <div className="panel max-w-120 gap-3 p-4">
        <h1 className="text-section font-semibold">{title}</h1>
        <p className="text-muted">{text}</p>
        <div className="flex gap-2">{children}</div>
      </div>
    </div>
  );
}
