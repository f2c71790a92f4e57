import type { ReactNode } from 'react';
import { ErrorState, SkeletonRows } from '../../../ui/Panel.tsx';
import { SaveBar } from '../../../ui/SaveBar.tsx';
import type { useScannerSettings } from './useScannerSettings.ts';

type Settings = ReturnType<typeof useScannerSettings>;

/** The frame both settings pages share: what is typed on either is saved by the same button. */
export function SettingsForm({ name, settings, children }: { name: string; settings: Settings; children: ReactNode }) {
  if (settings.failure !== null) return <ErrorState text="The settings could not be read." onRetry={settings.reload} />;
  if (settings.draft === null) return <SkeletonRows rows={6} />;
  return (
    <form
      noValidate
      aria-label={name}
      className="mx-auto flex w-full max-w-240 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        settings.submit();
      }}
    >
      {children}
      <div className="action-bar sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-bg py-2 max-md:bottom-[var(--bottom-bar-height)]">
        <SaveBar isUnsaved={settings.isUnsaved} isSaving={settings.isSaving} onDiscard={settings.discard} />
      </div>
    </form>
  );
}
