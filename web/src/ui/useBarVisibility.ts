import { useEffect, useState } from 'react';
import { BAR, type BarState, barAtTop, nextBarState } from './barVisibility.ts';

/** The state of a bar that leaves while one reads on. Scroll and pointer are looked at once per debounce. */
export function useBarVisibility(): BarState {
  const [state, setState] = useState(barAtTop);
  useEffect(() => {
    let pointerY = Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const decide = () => {
      timer = undefined;
      setState((before) => {
        const after = nextBarState(before, window.scrollY, pointerY);
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
