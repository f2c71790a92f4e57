import type { ReactNode } from 'react';

interface Props {
  aside?: ReactNode;
  chart?: ReactNode;
  figures?: ReactNode;
  knobs?: ReactNode;
  words?: ReactNode;
}

/** Layout of the live run, the same before and during it: nothing on the page moves when the result arrives. */
export function DemoFrame({ aside, chart, figures, knobs, words }: Props) {
  return (
    <section aria-labelledby="demo" className="panel">
      <header className="flex min-h-10 items-center justify-between gap-x-3 border-b border-line px-4 max-md:min-h-14 max-md:flex-col max-md:items-start max-md:justify-center">
        <h2 id="demo" className="text-section font-semibold">
          A real run, in your browser
        </h2>
        <p className="truncate text-label text-muted">{aside}</p>
      </header>
      <div className="relative h-64 md:h-76">{chart}</div>
      <div className="min-h-29 border-t border-line md:min-h-15">{figures}</div>
      <div className="min-h-30 border-t border-line px-4 py-2 pointer-coarse:min-h-39">{knobs}</div>
      <div className="min-h-44 border-t border-line px-4 py-3 text-label md:min-h-28">{words}</div>
    </section>
  );
}
