import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';

/** Score of a typed letter by the place of its match; higher is better. */
const STEP = { letter: 1, adjacent: 4, wordStart: 6, textStart: 8 } as const;

/**
 * How well `text` matches the typed text: its letters must all be there, in order. Adjacent letters, and letters at the start of a word or
 * of the text, count more; of two equal scores the shorter text wins.
 * @returns null when a letter is missing; 0 for an empty input
 */
export function fuzzyScore(typed: string, text: string): number | null {
  const wanted = typed.toLowerCase().replace(/\s+/g, '');
  const within = text.toLowerCase();
  if (wanted === '') return 0;
  // The whole input, anywhere in the text, beats letters picked from several words.
  const whole = placeOf(within, typed.trim().toLowerCase());
  let score = whole === 0 ? 40 : whole > 0 ? 20 : 0;
  let at = whole >= 0 ? whole - 1 : -1;
  for (const letter of wanted) {
    const actual = within.indexOf(letter, at + 1);
    if (actual < 0) return null;
    score += STEP.letter + (actual === at + 1 && at >= 0 ? STEP.adjacent : 0);
    score += actual === 0 ? STEP.textStart : isWordStart(within, actual) ? STEP.wordStart : 0;
    at = actual;
  }
  return score - within.length / 100;
}

const isWordStart = (text: string, at: number): boolean => at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '');

/** Position where `part` starts a word, else its first position; -1 when absent. */
function placeOf(text: string, part: string): number {
  const first = text.indexOf(part);
  for (let at = first; at >= 0; at = text.indexOf(part, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

/** The items that match, best first; ties preserve their order. */
export function fuzzyFilter<Item>(typed: string, items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, score: fuzzyScore(typed, textOf(item)) }))
    .filter((each): each is { item: Item; score: number } => each.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

export interface SearchItem {
  id: string;
  label: string;
  /** Kind of the item, at the right. */
  group: string;
}

interface Props<Item extends SearchItem> {
  label: string;
  placeholder: string;
  items: readonly Item[];
  /** Items that the typed text itself makes; shown first. */
  itemsOf?: (typed: string) => readonly Item[];
  onPick: (item: Item) => void;
  emptyText: string;
}

/** Number of drawn rows: few enough to draw between two keystrokes. */
const SHOWN_MAX = 60;
const textOf = ({ label, group }: SearchItem): string => `${label} ${group}`;

const noItems = (): readonly never[] => [];

/** A search field over a list of any length. Arrows, Home, End and Enter; the focus stays in the field. */
export function SearchList<Item extends SearchItem>(props: Props<Item>) {
  const { label, placeholder, items, itemsOf = noItems, onPick, emptyText } = props;
  const id = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const searched = useDeferredValue(typed);
  const matches = useMemo(
    () => [...itemsOf(searched), ...fuzzyFilter(searched, items, textOf)],
    [searched, items, itemsOf],
  );
  const shown = matches.slice(0, SHOWN_MAX);
  const at = Math.min(active, shown.length - 1);

  const walk = (to: number) => {
    const next = shown.length === 0 ? 0 : (to + shown.length) % shown.length;
    setActive(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The list may lag one keystroke; Enter uses the current input.
    const picked = searched === typed ? shown[at] : (itemsOf(typed)[0] ?? fuzzyFilter(typed, items, textOf)[0]);
    const moves: Record<string, () => void> = {
      ArrowDown: () => walk(at + 1),
      ArrowUp: () => walk(at - 1),
      Home: () => walk(0),
      End: () => walk(shown.length - 1),
      Enter: () => picked !== undefined && onPick(picked),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return (
    <div className="flex min-h-0 flex-col gap-2">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        className="input"
        placeholder={placeholder}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={label}
        tabIndex={-1}
        className="max-h-[min(360px,50dvh)] overflow-y-auto"
      >
        {shown.map((item, row) => (
          <div
            key={item.id}
            id={`${id}-${row}`}
            role="option"
            aria-selected={row === at}
            className={`menu-item cursor-pointer ${row === at ? 'bg-accent-soft' : ''}`}
            onPointerMove={() => setActive(row)}
            onClick={() => onPick(item)}
          >
            <span className="min-w-0 flex-1 truncate">{item.label}</span>
            <span className="text-label text-muted">{item.group}</span>
          </div>
        ))}
      </div>
      <p role="status" className="px-1 text-label text-muted">
        {matches.length === 0 ? emptyText : matches.length > SHOWN_MAX ? `${SHOWN_MAX} of ${matches.length} shown` : ''}
      </p>
    </div>
  );
}
