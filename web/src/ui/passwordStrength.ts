/** 0 (guessed at once) to 4 (not within a lifetime), with what would help. */
export interface Strength {
  score: 0 | 1 | 2 | 3 | 4;
  advice: string | null;
}

type Check = (password: string, about: string[]) => Strength;

let loading: Promise<Check> | undefined;

/** The estimator and its word lists are large: loaded with the first password somebody chooses, never with a page. */
export function loadStrengthCheck(): Promise<Check> {
  loading ??= (async () => {
    const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ]);
    const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
    return (password, about) => {
      const { score } = estimator.check(password.slice(0, 100), about);
      return { score, advice: score >= 3 ? null : 'Add a word or two that do not belong together' };
    };
  })();
  return loading;
}
