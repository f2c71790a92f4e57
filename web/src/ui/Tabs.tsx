import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

export interface TabItem<Id extends string> {
  id: Id;
  label: string;
}

interface Props<Id extends string> {
  /** Names the list to a screen reader. */
  label: string;
  items: readonly TabItem<Id>[];
  active: Id;
  onSelect: (id: Id) => void;
  /** Ids of tab and panel are built from it; share it with TabPanel. */
  idBase: string;
  className?: string;
}

/** A row of tabs with one stop for the Tab key; arrows, Home and End move and select. */
export function Tabs<Id extends string>({ label, items, active, onSelect, idBase, className = '' }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the row scrolls: the chosen tab is never half outside.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector(`#${idBase}-tab-${active}`)?.getBoundingClientRect();
    if (row === null || tab === undefined) return;
    const { left, right } = row.getBoundingClientRect();
    row.scrollLeft += Math.min(0, tab.left - left) + Math.max(0, tab.right - right);
  }, [active, idBase]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = items.findIndex((item) => item.id === active);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = items[(target + items.length) % items.length];
    if (next === undefined) return;
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`#${idBase}-tab-${next.id}`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={`flex ${className}`}>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          id={`${idBase}-tab-${item.id}`}
          aria-selected={item.id === active}
          aria-controls={item.id === active ? `${idBase}-panel-${item.id}` : undefined}
          tabIndex={item.id === active ? 0 : -1}
          className="tab"
          onClick={() => onSelect(item.id)}
          onKeyDown={onKeyDown}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  idBase: string;
  id: string;
  className?: string;
  children: ReactNode;
}

export function TabPanel({ idBase, id, className, children }: PanelProps) {
  return (
    <div role="tabpanel" id={`${idBase}-panel-${id}`} aria-labelledby={`${idBase}-tab-${id}`} className={className}>
      {children}
    </div>
  );
}

/** An id base that is safe inside a CSS selector. */
export function useTabsId(): string {
  return `tabs${useId().replace(/[^a-z0-9]/gi, '')}`;
}
