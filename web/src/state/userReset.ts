const resets = new Set<() => void>();

/** A feature registers once what it must forget when another user signs in. */
export function onUserReset(reset: () => void): void {
  resets.add(reset);
}

export function runUserResets(): void {
  for (const reset of resets) reset();
}
