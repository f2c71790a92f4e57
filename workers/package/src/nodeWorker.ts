import { parentPort } from 'node:worker_threads';
import { serve, type ToThread } from './serve.ts';

const listen = serve((message, buffers) => parentPort?.postMessage(message, buffers));
parentPort?.on('message', (sent: ToThread) => listen(sent));
