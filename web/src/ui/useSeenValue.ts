import { type RefCallback, startTransition, useCallback, useEffect, useState } from 'react';

/** A value without a change for this long is at rest. */
const REST_MS = 150;

/**
 * The value for content that may be out of sight. In sight, content follows each change, after what is more urgent. Out of sight it follows
 * once the value rests, so that a moving slider does not render it at every step.
 * @returns the value to show, null before the first; and the ref of the content's element
 */
export function useSeenValue<T>(value: T): [T | null, RefCallback<Element>] {
  const [isInSight, setInSight] = useState(true);
  const [shown, setShown] = useState<T | null>(null);
  useEffect(() => {
    const show = () => startTransition(() => setShown(value));
    if (isInSight) {
      show();
      return;
    }
    const timer = setTimeout(show, REST_MS);
    return () => clearTimeout(timer);
  }, [value, isInSight]);
  const watch = useCallback((element: Element | null) => {
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => setInSight(entries.at(-1)?.isIntersecting !== false));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [shown, watch];
}
