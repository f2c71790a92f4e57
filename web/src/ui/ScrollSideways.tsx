import type { ReactNode } from 'react';

/** Wide content in a narrow place: scrolls sideways, by keyboard too, without the page. */
export function ScrollSideways({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="region" aria-label={label} tabIndex={0} className="more-sideways relative overflow-x-auto">
      {children}
    </div>
  );
}
