/** What the event stream reports of charts, for the drawings that are open: their code is loaded with the first chart. */
type Listener = (symbol?: string, version?: number) => void;

const listeners = new Set<Listener>();

/** @param listener gets the symbol whose drawings changed and their version; nothing when events may have been missed */
export function onDrawingsChanged(listener: Listener): void {
  listeners.add(listener);
}

export function notifyDrawingsChanged(symbol?: string, version?: number): void {
  for (const listener of listeners) listener(symbol, version);
}
