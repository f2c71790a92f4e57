interface Props {
  isUnsaved: boolean;
  isSaving: boolean;
  onDiscard: () => void;
}

/** Save and discard buttons with the state of the form around them. */
export function SaveBar({ isUnsaved, isSaving, onDiscard }: Props) {
  return (
    <>
      <button type="submit" className="btn btn-primary" disabled={!isUnsaved || isSaving}>
        Save settings
      </button>
      <button type="button" className="btn" disabled={!isUnsaved || isSaving} onClick={onDiscard}>
        Discard changes
      </button>
      <span role="status" className="text-label text-muted">
        {isUnsaved ? 'Unsaved changes' : 'Everything is saved'}
      </span>
    </>
  );
}
