/** All canvases below each other on the panel's colour, as PNG. */
export async function pictureOf(host: HTMLElement, canvases: readonly HTMLCanvasElement[]): Promise<Blob | null> {
  const width = Math.max(0, ...canvases.map((canvas) => canvas.width));
  const height = canvases.reduce((sum, canvas) => sum + canvas.height, 0);
  if (width === 0) return null;
  const sheet = new OffscreenCanvas(width, height);
  const ctx = sheet.getContext('2d');
  if (ctx === null) return null;
  ctx.fillStyle = getComputedStyle(host).getPropertyValue('--panel');
  ctx.fillRect(0, 0, width, height);
  let top = 0;
  for (const canvas of canvases) {
    ctx.drawImage(canvas, 0, top);
    top += canvas.height;
  }
  return sheet.convertToBlob({ type: 'image/png' });
}
