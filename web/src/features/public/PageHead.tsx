import type { ReactNode } from 'react';

interface Props {
  title: string;
  lead: string;
  children?: ReactNode;
}

/** The first words of a page: what it is about, and one or two sentences that already answer. */
export function PageHead({ title, lead, children }: Props) {
  return (
    <header className="max-w-180">
      <h1 className="text-[30px] leading-[36px] font-semibold tracking-tight text-balance md:text-[40px] md:leading-[46px]">
        {title}
      </h1>
      <p className="mt-4 text-section leading-[24px] text-muted">{lead}</p>
      {children}
    </header>
  );
}
