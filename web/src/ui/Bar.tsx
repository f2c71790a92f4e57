import { Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toggleTheme } from '../state/theme.ts';

/** The sextant: two arms, the arc, and the sight line in the colour of a gain. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="4 2 24 26" width={size} height={size} aria-hidden="true" fill="none" strokeLinecap="round">
      <g stroke="var(--accent)" strokeWidth="2.4" strokeLinejoin="round">
        <path d="M16 6 7.5 22.5" />
        <path d="m16 6 8.5 16.5" />
        <path d="M6 20.5a13 13 0 0 0 20 0" />
      </g>
      <path d="M16 6v14" stroke="var(--up)" strokeWidth="2.4" />
      <circle cx="16" cy="6" r="2.2" fill="var(--accent)" />
    </svg>
  );
}

/** Both icons are in the page and the style sheet shows one: the prerendered page does not know the reader's theme. */
export function ThemeToggle() {
  return (
    <button type="button" className="btn btn-ghost btn-icon" onClick={toggleTheme}>
      <span className="only-dark">
        <Sun size={16} aria-hidden="true" />
        <span className="sr-only">Use the light theme</span>
      </span>
      <span className="only-light">
        <Moon size={16} aria-hidden="true" />
        <span className="sr-only">Use the dark theme</span>
      </span>
    </button>
  );
}

/** All in CSS pixels and milliseconds. */
const BAR = { nearTopPx: 10, scrolledPx: 10, hidePx: 50, debounceMs: 100, hoverZonePx: 120 } as const;

export interface BarState {
  /** The page has left its top: the bar gets its border. */
  isScrolled: boolean;
  isHidden: boolean;
  /** Where the last decision was made; a move is measured from here. */
  anchorY: number;
}

export const barAtTop: BarState = { isScrolled: false, isHidden: false, anchorY: 0 };

/**
 * Hides the bar after hidePx of scrolling down; shows it near the top, on any way up, or while the pointer is near it.
 * @param pointerY distance of the pointer from the top of the window; Infinity without one
 */
export function nextBarState(state: BarState, scrollY: number, pointerY: number): BarState {
  const isScrolled = scrollY > BAR.scrolledPx;
  const isNear = scrollY < BAR.nearTopPx || pointerY <= BAR.hoverZonePx;
  if (isNear || scrollY < state.anchorY) return { isScrolled, isHidden: false, anchorY: scrollY };
  if (scrollY - state.anchorY > BAR.hidePx) return { isScrolled, isHidden: true, anchorY: scrollY };
  // A hidden bar follows the scroll down, so that the first pixel up brings it back.
  return { isScrolled, isHidden: state.isHidden, anchorY: state.isHidden ? scrollY : state.anchorY };
}

/** A popup of the bar is open, or the keyboard focus is in the bar. */
const isBarInUse = (): boolean =>
  document.querySelector('[data-hidden] :is([data-popup-open], :focus-visible)') !== null;

/** State of a bar that hides while the page scrolls down. Scroll and pointer are checked once per debounce. */
export function useBarVisibility(): BarState {
  const [state, setState] = useState(barAtTop);
  useEffect(() => {
    let pointerY = Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const decide = () => {
      timer = undefined;
      setState((before) => {
        const after = nextBarState(before, window.scrollY, isBarInUse() ? 0 : pointerY);
        const isSame =
          before.isHidden === after.isHidden &&
          before.isScrolled === after.isScrolled &&
          before.anchorY === after.anchorY;
        return isSame ? before : after;
      });
    };
    const soon = () => (timer ??= setTimeout(decide, BAR.debounceMs));
    const onPointer = (event: PointerEvent) => {
      pointerY = event.pointerType === 'mouse' ? event.clientY : Infinity;
      soon();
    };
    window.addEventListener('scroll', soon, { passive: true });
    window.addEventListener('pointermove', onPointer, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', soon);
      window.removeEventListener('pointermove', onPointer);
    };
  }, []);
  return state;
}
