import { useEffect, useState } from 'react';
import { useMedia } from '../../ui/useMedia.ts';

/** How long a highlight stays, milliseconds. */
export const ROTATION_MS = { features: 3000, how: 4000, security: 3500, home: 4000 } as const;

export interface Rotation {
  /** The highlighted one; null where motion is not wanted. */
  index: number | null;
  isStopped: boolean;
  toggle: () => void;
  /** Paused while the pointer or the keyboard focus is on it. */
  setPointed: (isPointed: boolean) => void;
  setFocused: (isFocused: boolean) => void;
}

/**
 * Goes round `count` places, `everyMs` each. It stands still under a pointer, with the focus inside, when
 * stopped by hand, and never starts where the system asks for less motion.
 */
export function useRotation(count: number, everyMs: number): Rotation {
  const [index, setIndex] = useState(0);
  const [isStopped, setIsStopped] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const isRunning = !(isStopped || isPointed || isFocused || isStill);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setIndex((at) => (at + 1) % count), everyMs);
    return () => clearInterval(timer);
  }, [isRunning, count, everyMs]);
  const toggle = () => {
    setIsStopped(!isStopped);
    // The pointer is still on the Resume button: hovering must not pause it again.
    setFocused(false);
  };
  return { index: isStill ? null : index, isStopped, toggle, setPointed, setFocused };
}
