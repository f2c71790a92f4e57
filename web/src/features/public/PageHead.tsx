import type { ReactNode } from 'react';

interface Props {
  title: string;
  lead: string;
  children?: ReactNode;
}

/** Head of a page: its topic, and one or two sentences with the main message. */
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
