import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { variableNames } from '../../../src/config.ts';

export const root = join(import.meta.dirname, '../../../..');
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Paths below `deploy`, relative to the root of the repository. */
export const deployPaths = (pattern: string): string[] =>
  globSync(`deploy/${pattern}`, { cwd: root, exclude: ['**/node_modules'] }).sort();

/** Documents of a YAML file. @throws when it has an error or a key twice */
export function readYaml(path: string): unknown[] {
  return parseAllDocuments(readText(path), { merge: true, uniqueKeys: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) throw new Error(`${path}: ${error.message}`);
    return document.toJS() as unknown;
  });
}

export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}

export const readAlerts = (): AlertRule[] => {
  const [file] = readYaml('deploy/prometheus/alerts.yaml') as { groups: { rules: AlertRule[] }[] }[];
  return file?.groups.flatMap(({ rules }) => rules) ?? [];
};

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string; legendFormat: string }[];
}

export const readDashboard = () =>
  JSON.parse(readText('deploy/grafana/sextant.json')) as { uid: string; panels: Panel[] };

/** Sections of docs/runbooks.md by anchor. */
export function readRunbooks(): Map<string, string> {
  const [, ...sections] = readText('docs/runbooks.md').split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return [title.trim(), lines.join('\n')];
    }),
  );
}

/** Names of metrics in an expression or a text. */
export const metricsIn = (text: string): string[] => [
  ...new Set(text.match(/\b(?:sextant|nodejs|process)_[a-z0-9_]+\b/g) ?? []),
];

export type Values = Record<string, string>;
const variables = new Set(variableNames);
/** Read by Node, glibc or npm, not by the product. */
const ofTheRuntime = new Set([
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
]);
/** Names that neither the product nor the runtime reads. */
export const unknownVariables = (names: Iterable<string>): string[] =>
  [...names].filter((name) => !variables.has(name) && !ofTheRuntime.has(name));

/** An image is named by an exact version: never `latest`, never a bare major. */
export const exactImage = /^[\w./-]+:v?\d+\.\d+(?:\.\d+)?[\w.-]*$/;
