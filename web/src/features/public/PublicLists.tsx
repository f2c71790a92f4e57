/** A deposit is trading capital on the trader's own exchange, never a payment to this service. */
const facts = [
  [
    'Your funds stay in your own exchange accounts',
    'Sextant holds no trading money and connects to no account. Positions here are simulated.',
  ],
  [
    'No exchange API keys needed',
    'Market data is public. There is no field for a key, so there is nothing to hand over and nothing to leak.',
  ],
  ['No withdrawal access needed', 'There is no way to move your money, because there is no connection to it.'],
  [
    'No minimum deposit',
    '1000 USD is recommended: capital on your own exchange, and the balance that new accounts size positions from.',
  ],
] as const;

/** What this product does not ask for. */
export function Facts() {
  return (
    <section aria-labelledby="facts">
      <h2 id="facts" className="text-page font-semibold">
        Nothing to hand over
      </h2>
      <dl className="mt-4 grid gap-6 md:grid-cols-2 lg:grid-cols-4">
        {facts.map(([title, text]) => (
          <div key={title} className="border-l-2 border-accent pl-4">
            <dt className="text-section font-semibold text-balance">{title}</dt>
            <dd className="mt-1 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

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
