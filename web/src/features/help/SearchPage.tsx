import { useSnapshot } from 'valtio';
import { helpPlace, keepHelp } from '../../state/helpPlace.ts';
import { openPage } from '../../state/navigation.ts';
import { EmptyState } from '../../ui/Panel.tsx';
import { SearchResults, useSettled } from './SearchResults.tsx';

export function SearchPage() {
  const { query } = useSnapshot(helpPlace);
  const text = useSettled(query).trim();
  return (
    <div className="flex flex-col gap-4">
      <input
        type="search"
        aria-label="Search the help"
        placeholder="Words of a title, a figure, an error"
        maxLength={200}
        // The page is the field: who opens it wants to type.
        autoFocus
        className="input"
        value={query}
        onChange={(event) => keepHelp({ query: event.target.value })}
      />
      {text === '' ? (
        <EmptyState text="Type a question or a few words. Typing errors are corrected." />
      ) : (
        <SearchResults
          text={text}
          elsewhere={
            <button type="button" className="btn btn-small" onClick={() => openPage('help', 'chat')}>
              Ask the assistant instead
            </button>
          }
        />
      )}
    </div>
  );
}
