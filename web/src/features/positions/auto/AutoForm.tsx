import type { ReactNode } from 'react';
import type { Preferences } from '../../../api/types.ts';
import { ErrorState, SkeletonRows } from '../../../ui/Panel.tsx';
import { SaveBar } from '../../../ui/SaveBar.tsx';
import type { useAutoSettings } from './useAutoSettings.ts';

type Settings = ReturnType<typeof useAutoSettings>;

interface Props {
  name: string;
  settings: Settings;
  children: (values: Preferences) => ReactNode;
}

/** Fields over the preferences, and the button that saves what was typed. */
export function AutoForm({ name, settings, children }: Props) {
  if (settings.failure !== null) return <ErrorState text="The settings could not be read." onRetry={settings.reload} />;
  if (settings.draft === null) return <SkeletonRows rows={6} />;
  return (
    <form
      noValidate
      aria-label={name}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        settings.submit();
      }}
    >
      {children(settings.draft)}
      <div className="flex flex-wrap items-center gap-2">
        <SaveBar isUnsaved={settings.isUnsaved} isSaving={settings.isSaving} onDiscard={settings.discard} />
      </div>
    </form>
  );
}
