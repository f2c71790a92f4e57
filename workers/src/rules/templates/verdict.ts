/** Levels of the honesty panel. Those of protocol/honesty.ts, which reads this folder. */
export type VerdictLevel = 'luck' | 'unclear' | 'holds up' | 'not enough data';

/** What a template was worth on real candles: written by .ci/measureTemplates.ts into verdicts.gen.ts. */
export interface TemplateVerdict {
  id: string;
  /** First 16 hex digits of the SHA-256 of the text that was measured. */
  textHash: string;
  /** Series with enough candles; the figures are medians over them, null without any. */
  seriesCount: number;
  /** Net result after costs, in % of the starting equity. */
  netPct: number | null;
  /** Series with a positive net result. */
  gainCount: number;
  tradeCount: number | null;
  /** Mean return of a candle over its deviation, scaled to a day; of the series with trades. */
  dailySharpe: number | null;
  /** Series by level of the honesty panel, counted as one of all templates that were tried. */
  levels: Record<VerdictLevel, number>;
  /** The level of most series; the more cautious one of equal counts. */
  verdict: VerdictLevel;
}

export interface MeasuredSeries {
  name: string;
  candles: number;
  /** UTC dates of the first and the last candle. */
  from: string;
  until: string;
  /** First 16 hex digits of the SHA-256 of the file. */
  hash: string;
}

export interface TemplateMeasurement {
  /** UTC date of the run. */
  measuredOn: string;
  series: MeasuredSeries[];
  verdicts: TemplateVerdict[];
}
