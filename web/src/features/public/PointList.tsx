/** Short points with a line of text each, without the weight of cards. */
export function PointList({
  points,
  columns,
}: {
  points: readonly (readonly [title: string, text: string])[];
  columns: string;
}) {
  return (
    <dl className={`mt-4 grid gap-6 ${columns}`}>
      {points.map(([title, text]) => (
        <div key={title} className="border-l-2 border-line pl-4">
          <dt className="text-section font-semibold">{title}</dt>
          <dd className="mt-1 text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
