import type { FastifyReply } from 'fastify';
import type { Places } from '../limits/places.ts';

/** Acquires a slot until the response is fully sent or the client disconnects. @throws `overloaded` */
export async function holdPlace(places: Places, key: string, reply: FastifyReply): Promise<void> {
  const leave = await places.take(key);
  // The client may have disconnected while waiting: then neither event fires.
  if (reply.raw.closed) leave();
  for (const end of ['finish', 'close']) reply.raw.once(end, leave);
}
