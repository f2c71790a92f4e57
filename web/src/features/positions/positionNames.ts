import { reasonNames } from '../../format/names.ts';

const confidences: Record<string, string> = { high: 'High, from 70 %', low: 'Low, below 70 %' };
const sources: Record<string, string> = { scan: 'Scan', vision: 'Chart analysis', manual: 'By hand' };
const reasons: Record<string, string> = reasonNames;

export const confidenceName = (name: string): string => confidences[name] ?? name;
export const sourceName = (name: string): string => sources[name] ?? name;
export const reasonName = (name: string): string => reasons[name] ?? name;
