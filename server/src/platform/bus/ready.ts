/** A state that is reached again and again, and can be waited for. */
export interface Ready {
  isUp: () => boolean;
  up: () => void;
  down: () => void;
  /** Whether it is up, waiting up to `waitMs` for it. */
  wait: (waitMs: number) => Promise<boolean>;
}

export function createReady(): Ready {
  let isUp = false;
  const waiting = new Set<() => void>();
  return {
    isUp: () => isUp,
    up() {
      isUp = true;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    down: () => void (isUp = false),
    wait(waitMs) {
      if (isUp) return Promise.resolve(true);
      return new Promise((resolve) => {
        const onUp = (): void => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.delete(onUp);
          resolve(false);
        }, waitMs);
        waiting.add(onUp);
      });
    },
  };
}
