/** The UTC day an article was written: the same wherever it is read. */
export function ArticleDate({ at }: { at: string }) {
  const day = at.slice(0, 10);
  return <time dateTime={day}>{day}</time>;
}

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <li key={tag} className="rounded border border-line px-1.5">
          {tag}
        </li>
      ))}
    </ul>
  );
}
