import {
  CHART_INDICATORS_MAX,
  DRAWING_TEXT_MAX,
  DRAWINGS_IN_CHANGE_MAX,
  DRAWINGS_MAX,
  drawingAnchors,
  drawingKinds,
  LAYOUT_CHARTS_MAX,
  LAYOUTS_MAX,
  priceScales,
} from '@sextant/workers/src/core/chartDrawings.ts';
import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { Price, Text } from '../../platform/contract.ts';
import { IntervalName, SymbolName } from '../market/contract.ts';

/** The year 2100: drawings may reach beyond the newest candle. */
const TIME_MAX = 4_102_444_800_000;

export const DrawingAnchor = z.strictObject({
  time: z.int().min(0).max(TIME_MAX).meta({ description: 'Epoch ms.' }),
  price: Price,
});

const drawingFields = {
  id: z.uuid(),
  kind: z.enum(drawingKinds),
  anchors: z
    .array(DrawingAnchor)
    .min(1)
    .max(3)
    .meta({ description: '1 for horizontal and text, 2 for the others; long and short: entry, target, stop.' }),
  text: Text.max(DRAWING_TEXT_MAX, `must be at most ${DRAWING_TEXT_MAX} characters`),
  is_locked: z.boolean(),
  is_hidden: z.boolean(),
};

export const Drawing = z
  .strictObject(drawingFields)
  .refine(({ kind, anchors }) => anchors.length === drawingAnchors[kind], {
    path: ['anchors'],
    error: ({ input }) => {
      const { kind } = input as { kind: keyof typeof drawingAnchors };
      return `must be ${drawingAnchors[kind]} for ${kind}`;
    },
  });
export type Drawing = z.output<typeof Drawing>;

export const DrawingsPath = z.strictObject({ symbol: SymbolName });

const Version = z.int().min(0).max(2_147_483_647);

export const DrawingsRequest = z.strictObject({
  version: Version.meta({ description: 'The version you last read; 0 for none.' }),
  put: z
    .array(Drawing)
    .max(DRAWINGS_IN_CHANGE_MAX, `must hold at most ${DRAWINGS_IN_CHANGE_MAX}; send several changes`)
    .default([])
    .meta({ description: 'Drawings to add or replace, by id.' }),
  remove: z
    .array(z.uuid())
    .max(DRAWINGS_MAX, `must hold at most ${DRAWINGS_MAX}`)
    .default([])
    .meta({ description: 'Ids; missing ones are ignored.' }),
});

/** A drawing as it is stored. */
export const StoredDrawing = z.object(drawingFields);

export const DrawingsResponse = z.object({
  symbol: z.string(),
  version: Version.meta({ description: 'Rises with each change; 0: none was ever stored.' }),
  drawings: z.array(StoredDrawing).meta({ description: `At most ${DRAWINGS_MAX}.` }),
});

export const DrawingsChangeResponse = z.object({
  symbol: z.string(),
  version: Version,
  drawings: z
    .array(StoredDrawing)
    .nullable()
    .meta({ description: 'All drawings, when the stored version was not the one you sent; otherwise null.' }),
  overwritten: z
    .array(z.uuid())
    .meta({ description: 'Drawings of this change that were changed elsewhere since your version. Yours won.' }),
});

export const LayoutChart = z.strictObject({
  symbol: SymbolName.nullable().meta({ description: 'null: the selected symbol.' }),
  interval: IntervalName,
  scale: z.enum(priceScales),
  indicators: z
    .array(z.string().regex(/^[\w-]{1,40}$/, 'must be ids of indicators'))
    .max(CHART_INDICATORS_MAX, `must hold at most ${CHART_INDICATORS_MAX}`),
});

export const LayoutValue = z.strictObject({
  charts: z
    .array(LayoutChart)
    .min(1)
    .max(LAYOUT_CHARTS_MAX)
    .refine((charts) => charts.length !== 3, 'must be 1, 2 or 4'),
  pane_size: z.enum(['small', 'medium', 'large']).meta({ description: 'Height of the panes below the candles.' }),
});

const Name = Text.trim()
  .min(1, 'must not be empty')
  .max(SAVED_NAME_MAX, `must be at most ${SAVED_NAME_MAX} characters`);

export const LayoutRequest = z.strictObject({ name: Name, value: LayoutValue });
export const LayoutChangeRequest = LayoutRequest.partial().refine(
  ({ name, value }) => name !== undefined || value !== undefined,
  'must hold a name or a value',
);
export const LayoutPath = z.strictObject({ id: z.uuid() });
export const LayoutsResponse = z.object({
  layouts: z
    .array(z.object({ id: z.uuid(), name: z.string(), value: LayoutValue }))
    .meta({ description: `By name; at most ${LAYOUTS_MAX}.` }),
});
