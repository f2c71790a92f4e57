import { openAlertForm } from '../../state/alertForm.ts';
import { articleRead, openArticle } from '../../state/helpPlace.ts';
import { openTab } from '../../state/navigation.ts';

/** What the account has done, null while it is loading. */
export interface Done {
  run: boolean | null;
  understand: boolean | null;
  scan: boolean | null;
  watch: boolean | null;
  alert: boolean | null;
}

type StepId = keyof Done;

export interface Step {
  id: StepId;
  /** What to do, and what it gives. */
  text: string;
  button: string;
  open: () => void;
}

const ARTICLE = 'honesty-panel';

/** The first hour with the product, in this order. */
export const steps: readonly Step[] = [
  {
    id: 'run',
    text: 'Run a backtest.',
    button: 'Open the lab',
    open: () => openTab('backtest', 'setup'),
  },
  {
    id: 'understand',
    text: 'Read how much of a result is luck.',
    button: 'Read the article',
    open: () => openArticle(ARTICLE),
  },
  {
    id: 'scan',
    text: 'Scan the market for signals.',
    button: 'Open the scanner',
    open: () => openTab('signals', 'scanner'),
  },
  { id: 'watch', text: 'Star a symbol in the watch list.', button: 'Show the watch list', open: () => showWatchList() },
  {
    id: 'alert',
    text: 'Set an alert on a price.',
    button: 'Set an alert',
    open: () => openAlertForm(),
  },
];

export const readUnderstood = (): boolean => articleRead(ARTICLE);

function showWatchList(): void {
  document.getElementById('watch-list')?.scrollIntoView({ block: 'center' });
  document.querySelector<HTMLElement>('#watch-list [aria-label^="Watch "]')?.focus();
}

/** How many steps are done; null while one is loading. */
export function doneCount(done: Done): number | null {
  const values = steps.map(({ id }) => done[id]);
  return values.includes(null) ? null : values.filter((isDone) => isDone === true).length;
}
