const resets = new Set<() => void>();

/** A feature registers once how to clear its state when another user signs in. */
export function onUserReset(reset: () => void): void {
  resets.add(reset);
}

export function runUserResets(): void {
  for (const reset of resets) reset();
}
