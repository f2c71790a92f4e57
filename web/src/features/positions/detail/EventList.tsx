import { usePosition } from '../../../api/positions.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Time } from '../../../ui/Time.tsx';
import { eventText } from './eventText.ts';

/** Everything that happened to a position, newest first. */
export function EventList({ id, decimals }: { id: string; decimals: number | undefined }) {
  const answer = usePosition(id);
  return (
    <Loaded answer={answer} failure="The events could not be read." rows={3}>
      {({ events }) => (
        <ol aria-label="Events" className="max-h-60 overflow-y-auto text-label" tabIndex={0}>
          {events.toReversed().map((event) => (
            <li key={event.id} className="flex gap-3 border-t border-line px-3 py-1.5">
              <span className="shrink-0 text-muted">
                <Time at={event.at} />
              </span>
              <span>{eventText(event, decimals)}</span>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
