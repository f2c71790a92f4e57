import { Link } from 'wouter';
import { LoadedPicture } from '../../ui/LoadedPicture.tsx';
import { TOUR_SIZE, type TourId, tourParts, tourPicture, tourThemes } from './tour.ts';

type Part = (typeof tourParts)[number];

/** Both themes are in the page and the style sheet shows one; browsers do not load a hidden lazy picture. */
function TourPicture({ id, title }: Part) {
  return tourThemes.map((theme) => (
    <div key={theme} className={`only-${theme} overflow-hidden rounded border border-line bg-panel`}>
      <LoadedPicture
        src={tourPicture(id, theme)}
        alt={`${title} in the product, on a simulated market`}
        name={`The picture of ${title}`}
        isLazy
        size={TOUR_SIZE}
        className="block h-auto w-full"
      />
    </div>
  ));
}

/** Every part of the product with its picture. */
export function Tour() {
  return (
    <section aria-labelledby="tour">
      <h2 id="tour" className="text-page font-semibold">
        The whole product
      </h2>
      <p className="mt-2 max-w-160 text-muted">Pictures of the running product on a simulated market.</p>
      <ul className="mt-4 grid gap-x-6 gap-y-8 md:grid-cols-2">
        {tourParts.map((part) => (
          <li key={part.id} id={part.id} className="flex min-w-0 scroll-mt-20 flex-col gap-3">
            <TourPicture {...part} />
            <h3 className="text-section font-semibold">{part.title}</h3>
            <p className="text-muted">{part.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const shownAtHome: readonly TourId[] = ['signals', 'auto', 'arbitrage', 'vision'];

/** The same in short: four pictures, and a link to each part. */
export function TourTeaser() {
  return (
    <section aria-labelledby="tour">
      <h2 id="tour" className="text-page font-semibold">
        More than backtests
      </h2>
      <ul className="mt-4 grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
        {tourParts
          .filter(({ id }) => shownAtHome.includes(id))
          .map((part) => (
            <li key={part.id} className="flex min-w-0 flex-col gap-2">
              <TourPicture {...part} />
              <h3 className="text-section font-semibold">{part.title}</h3>
              <p className="text-muted">{part.text}</p>
            </li>
          ))}
      </ul>
      <p className="mt-4 text-muted">
        Also:{' '}
        {tourParts
          .filter(({ id }) => !shownAtHome.includes(id))
          .map(({ id, title }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link href={`/features#${id}`} className="text-accent underline underline-offset-2">
                {title}
              </Link>
            </span>
          ))}
        .
      </p>
    </section>
  );
}
