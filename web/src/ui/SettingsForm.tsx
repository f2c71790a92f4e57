import type { ReactNode } from 'react';
import { ErrorState, SkeletonRows } from './Panel.tsx';
import { SaveBar } from './SaveBar.tsx';

interface Settings<Draft> {
  /** As typed; null until the saved settings have been read. */
  draft: Draft | null;
  failure: Error | null;
  isUnsaved: boolean;
  isSaving: boolean;
  reload: () => void;
  submit: () => void;
  discard: () => void;
}

interface Props<Draft> {
  name: string;
  settings: Settings<Draft>;
  /** Shown instead of the fields when the settings could not be read. */
  unreadText?: string;
  saveLabel?: string;
  /** For a form that fills its page: its buttons stay in sight while it scrolls. */
  isPage?: boolean;
  className?: string;
  children: (draft: Draft) => ReactNode;
}

/** Settings as a form: the state of reading them, the fields over the draft, and the buttons that save or discard it. */
export function SettingsForm<Draft>({ name, settings, children, ...look }: Props<Draft>) {
  const { unreadText = 'The settings could not be read.', saveLabel, isPage = false, className = '' } = look;
  if (settings.failure !== null)
    return <ErrorState failure={settings.failure} text={unreadText} onRetry={settings.reload} />;
  if (settings.draft === null) return <SkeletonRows rows={isPage ? 8 : 6} />;
  return (
    <form
      noValidate
      aria-label={name}
      className={`flex flex-col gap-3 ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        settings.submit();
      }}
    >
      {children(settings.draft)}
      <SaveBar settings={settings} label={saveLabel} isSticky={isPage} />
    </form>
  );
}
