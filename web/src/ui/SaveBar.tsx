interface Props {
  settings: { isUnsaved: boolean; isSaving: boolean; discard: () => void };
  label?: string | undefined;
  /** Stays in sight while a long form scrolls. */
  isSticky?: boolean;
}

const sticky =
  'action-bar sticky bottom-0 z-10 border-t border-line bg-bg py-2 max-md:bottom-[var(--bottom-bar-height)]';

/** Save and discard buttons with the state of the form around them. */
export function SaveBar({ settings, label = 'Save settings', isSticky = false }: Props) {
  const { isUnsaved, isSaving, discard } = settings;
  return (
    <div className={`flex flex-wrap items-center gap-2 ${isSticky ? sticky : ''}`}>
      <button type="submit" className="btn btn-primary" disabled={!isUnsaved || isSaving}>
        {label}
      </button>
      <button type="button" className="btn" disabled={!isUnsaved || isSaving} onClick={discard}>
        Discard changes
      </button>
      <span role="status" className="text-label text-muted">
        {isUnsaved ? 'Unsaved changes' : 'Everything is saved'}
      </span>
    </div>
  );
}
