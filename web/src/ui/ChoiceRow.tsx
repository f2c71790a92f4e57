import type { ComponentProps, ReactNode } from 'react';
import { DefinedTerm } from './Hint.tsx';
import { Segments } from './Segments.tsx';

/** A choice of few under its defined name; notes on what is chosen go below it. */
export function ChoiceRow<Value extends string>({
  definition,
  children,
  ...choice
}: ComponentProps<typeof Segments<Value>> & ComponentProps<typeof DefinedTerm> & { children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-label font-medium">
        <DefinedTerm definition={definition} />
      </span>
      <Segments {...choice} />
      {children}
    </div>
  );
}
