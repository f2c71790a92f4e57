/** A calculation that can be paused at each `yield`; between two of them it takes a millisecond or two. */
export type Steps<T> = Generator<void, T, void>;

/** Half a frame, which leaves room for the frame's other work. */
const SLICE_MS = 8;

/** Yields to frames, input and timers. Uses a message, because browsers delay nested timers by 4 ms. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Calculates in slices, the first one immediately. @throws the reason of the signal */
export async function inSlices<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  let startedAt = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - startedAt < SLICE_MS) continue;
    await nextTask();
    signal?.throwIfAborted();
    startedAt = performance.now();
  }
}

/** The same as an effect. @returns ends it; `onDone` is not called then */
export function startSlices<T>(steps: Steps<T>, onDone: (value: T) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  void inSlices(steps, signal).then(
    (value) => {
      if (!signal.aborted) onDone(value);
    },
    (failure: unknown) => {
      if (!signal.aborted) throw failure;
    },
  );
  return () => ended.abort();
}

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
