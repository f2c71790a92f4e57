import { failWith, ok, type Result } from '../core/result.ts';

export const optionNames = ['candles', 'rules', 'threads', 'sets', 'resume', 'keys'] as const;
type OptionName = (typeof optionNames)[number];

export interface CommandArguments {
  /** The file of `verify`. */
  file?: string;
  options: Partial<Record<OptionName, string>>;
}

const ofRun: readonly OptionName[] = ['candles', 'rules'];
const allowed: Partial<Record<string, readonly OptionName[]>> = {
  indicators: ['candles'],
  backtest: ofRun,
  optimize: [...ofRun, 'threads', 'sets', 'resume'],
  portfolio: ['threads'],
  'portfolio-sets': ['threads'],
  'walk-forward': ofRun,
  'monte-carlo': ofRun,
  verify: ['keys'],
};

/** Reads what follows the name of a task: `--candles FILE`. Each option once, with its value. */
export function readArguments(task: string, rest: readonly string[]): Result<CommandArguments, string> {
  const read: CommandArguments = { options: {} };
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? '';
    if (!word.startsWith('--')) {
      if (task !== 'verify' || read.file !== undefined)
        return failWith(`unexpected argument "${word}": the input comes from standard input`);
      read.file = word;
      continue;
    }
    const name = optionNames.find((each) => `--${each}` === word);
    const takes = allowed[task] ?? [];
    if (name === undefined || !takes.includes(name)) {
      const list = takes.map((each) => `--${each}`).join(', ');
      return failWith(`${task} has no option ${word}: ${list === '' ? 'it takes none' : `it takes ${list}`}`);
    }
    const value = rest[++i];
    if (value === undefined || value.startsWith('--'))
      return failWith(`${word} needs a value: ${word} ${valueOf(name)}`);
    if (read.options[name] !== undefined) return failWith(`${word} is there twice: leave one out`);
    read.options[name] = value;
  }
  return ok(read);
}

const valueOf = (name: OptionName): string => (name === 'threads' ? '2' : 'FILE');
