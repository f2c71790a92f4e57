import type { Locator } from '@playwright/test';

/** Drags the handle of a chart's line by pixels, and holds it there. */
export async function dragLine(handle: Locator, byPx: number): Promise<void> {
  const { mouse } = handle.page();
  // In the middle: at an edge of the view a fixed bar may cover it.
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = await handle.boundingBox();
  if (box === null) throw new Error(`${String(handle)} has no box`);
  const [x, y] = [box.x + box.width - 16, box.y + box.height / 2];
  await mouse.move(x, y);
  await mouse.down();
  for (let step = 1; step <= 4; step++) await mouse.move(x, y + (byPx * step) / 4);
}
