/**
 * Coefficients of a logistic model: how much each feature of two headlines says about one story. Fitted on labelled pairs
 * (server/test/features/news/fitStoryModel.ts, which prints them; a test fits them again); docs/news.md has the measured errors.
 */
export const coefficients = {
  constant: -4.87,
  similarity: 5.26,
  commonShare: -1.04,
  commonCount: 3.98,
  sameFigure: 1.99,
  distinctFigure: -1.35,
  otherFigures: -0.79,
  oneHasFigures: -0.93,
  commonName: 0.84,
  commonCoin: 0.11,
  otherNames: -1.69,
  sequel: -1.27,
  sameAction: -0.55,
  otherAction: -0.68,
  otherSubject: -1.7,
  aftermath: -2,
  rules: 2.47,
  aboutOthers: -1.34,
  attribution: -1.89,
  amountOfSame: 0.92,
  figureAndName: 0.21,
  actionAndName: -0.19,
} as const;

export type StoryFeature = Exclude<keyof typeof coefficients, 'constant'>;
const isFeature = (name: string): name is StoryFeature => name !== 'constant';
export const storyFeatures: readonly StoryFeature[] = Object.keys(coefficients).filter(isFeature);

/** Reports are one story from this chance on. */
export const CHANCE_MIN = 0.4;

/** Chance that two headlines are one story, from 0 to 1. */
export function storyChance(features: Record<StoryFeature, number>): number {
  let sum: number = coefficients.constant;
  for (const name of storyFeatures) sum += coefficients[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}
