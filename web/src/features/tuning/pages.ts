export const tuningPages = [
  { id: 'indicators', label: 'Indicators' },
  { id: 'presets', label: 'Presets' },
  { id: 'advanced', label: 'Advanced' },
  { id: 'performance', label: 'Performance' },
] as const;

export type TuningPageId = (typeof tuningPages)[number]['id'];

export const pageOf = (saved: string | undefined): TuningPageId =>
  tuningPages.find(({ id }) => id === saved)?.id ?? 'indicators';
