/** Choices in a sentence after "use" or "must be": `1d`, `4h or 1d`, `one of 1h, 4h, 1d`. */
export function oneOf(choices: readonly string[]): string {
  return choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
}
