import type { ScanSignal } from '../../../api/types.ts';
import { formatSigned } from '../../../format/number.ts';
import { Time } from '../../../ui/Time.tsx';

type Say = NonNullable<ScanSignal['news']>;

/** The stories behind the news vote, with what each adds to it. Nothing where no story was there to judge by. */
export function NewsVote({ news }: { news: ScanSignal['news'] }) {
  if (news === undefined) return null;
  return (
    <section aria-label="News" className="flex flex-col gap-1">
      <h3 className="font-semibold">News</h3>
      <p className="text-label text-muted">{sayText(news)}</p>
      {news.stories.length > 0 && (
        <ul className="text-label">
          {news.stories.map((story) => (
            <li key={story.id} className="flex justify-between gap-3 border-b border-line py-1">
              <span className="min-w-0">
                <span className="block break-words">{story.title}</span>
                <span className="text-muted">
                  {story.source}, weight {story.weight.toFixed(2)}, <Time at={story.first_seen_at} />
                </span>
              </span>
              <span className="font-mono">{formatSigned(story.share, 3)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function sayText({ vote, strength, story_count: count, stories }: Say): string {
  const seen = `${count} bullish or bearish ${count === 1 ? 'story' : 'stories'} in the six hours before the close`;
  if (stories.length === 0) return `No vote: ${seen}, from sources whose stories have not moved prices measurably.`;
  const sum = `strength ${formatSigned(strength, 3)}`;
  return vote === null ? `No vote: ${seen}, ${sum}; a vote needs 0.1.` : `${vote}: ${seen}, ${sum}.`;
}
