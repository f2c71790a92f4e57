/** Charts that share a crosshair: the one under the pointer shows its time on the others, whatever their symbol and interval. */
export interface LinkedChart {
  /** Puts the crosshair on the candle of a time; null removes it. @param ms epoch ms */
  showTime: (ms: number | null) => void;
}

const linked = new Set<LinkedChart>();

/** @returns removes the chart */
export function linkChart(chart: LinkedChart): () => void {
  linked.add(chart);
  return () => void linked.delete(chart);
}

export function publishTime(from: LinkedChart, ms: number | null): void {
  if (!linked.has(from)) return;
  for (const chart of linked) if (chart !== from) chart.showTime(ms);
}
