import { serve, type ToThread } from './serve.ts';

const listen = serve((message, buffers) => self.postMessage(message, { transfer: buffers }));
self.addEventListener('message', ({ data }: MessageEvent<ToThread>) => listen(data));
