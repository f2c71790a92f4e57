import type { HelpCard } from '../../api/types.ts';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { ArticleDate, TagList } from './article/ArticleParts.tsx';

/** Tags shown of an article in a list. */
const CARD_TAGS = 3;

/** An article in a list: what it answers, what it is about, and where the words searched for stand in it. */
export function ArticleCard({ card }: { card: HelpCard }) {
  return (
    <li className="panel relative gap-1 p-3 hover:border-muted">
      <h3 className="text-section font-semibold">
        {/* The whole card is the link's target. */}
        <ArticleLink slug={card.slug} className="after:absolute after:inset-0 after:content-['']">
          {card.title}
        </ArticleLink>
      </h3>
      {card.snippet.length === 0 ? (
        <p className="text-muted">{card.question}</p>
      ) : (
        <p className="break-words text-muted">
          {card.snippet.map(({ text, is_hit: isHit }, at) =>
            isHit ? (
              <mark key={at} className="rounded-sm bg-accent-soft font-medium text-text">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </p>
      )}
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-1 text-label text-muted">
        <ArticleDate at={card.created_at} />
        <TagList tags={card.tags.slice(0, CARD_TAGS)} />
      </div>
    </li>
  );
}

export function ArticleList({ label, cards }: { label: string; cards: readonly HelpCard[] }) {
  return (
    <ul aria-label={label} className="grid gap-3 md:grid-cols-2">
      {cards.map((card) => (
        <ArticleCard key={card.slug} card={card} />
      ))}
    </ul>
  );
}
