/**
 * Calls of tools that are running on this node, so that `notifications/cancelled`, which is a message without a session, finds its call.
 * Clients number their requests from one, so two agents with one key may use the same number at the same time: such a cancellation is
 * ambiguous and ignored, as the protocol allows.
 */
export class RunningCalls {
  readonly #running = new Map<string, Set<AbortController>>();

  /** Returns the function that removes the call. @param caller key and address @param id of the request */
  add(caller: string, id: unknown, stop: AbortController): () => void {
    const name = nameOf(caller, id);
    const stops = this.#running.get(name) ?? new Set();
    this.#running.set(name, stops.add(stop));
    return () => {
      stops.delete(stop);
      if (stops.size === 0) this.#running.delete(name);
    };
  }

  cancel(caller: string, id: unknown): void {
    const [only, ...others] = this.#running.get(nameOf(caller, id)) ?? [];
    if (others.length === 0) only?.abort();
  }
}

const nameOf = (caller: string, id: unknown): string => JSON.stringify([caller, id]);
