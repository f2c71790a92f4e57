import type { ReactNode } from 'react';
import type { TabId } from '../api/types.ts';
import { openPage } from '../state/navigation.ts';
import { type TabItem, TabPanel, Tabs, useTabsId } from './Tabs.tsx';

interface Props<Id extends string> {
  /** The shell tab of these inner pages: the open one is stored under its id. */
  tab: TabId;
  /** Heading for screen readers, and the name of the list of pages. */
  title: string;
  pages: readonly TabItem<Id>[];
  page: Id;
  /** Shown at the end of the row of pages; left out below 768 px, where the row needs the width. */
  aside?: ReactNode;
  /** `reading` limits the width of forms and text; `full` uses the whole width. */
  layout: 'reading' | 'full';
  children: ReactNode;
}

const layouts = { reading: 'mx-auto w-full max-w-240 p-4 max-md:p-3', full: 'flex min-w-0 flex-1 flex-col p-3' };

/** A shell tab with a row of inner pages at its head. */
export function PagedTab<Id extends string>({ tab, title, pages, page, aside, layout, children }: Props<Id>) {
  const id = useTabsId();
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <div className="flex h-10 shrink-0 items-center border-b border-line bg-panel px-2">
        <Tabs
          label={title}
          items={pages}
          active={page}
          idBase={id}
          onSelect={(next) => openPage(tab, next)}
          className="h-full min-w-0 flex-1 overflow-x-auto"
        />
        {aside !== undefined && <div className="shrink-0 max-md:hidden">{aside}</div>}
      </div>
      <TabPanel idBase={id} id={page} className={layouts[layout]}>
        {children}
      </TabPanel>
    </>
  );
}
