import type { FastifyReply } from 'fastify';
import type { Places } from '../limits/places.ts';

/** Takes a place that is given back when the last byte of the answer has gone, or the caller has. Throws `overloaded`. */
export async function holdPlace(places: Places, key: string, reply: FastifyReply): Promise<void> {
  const leave = await places.take(key);
  // The caller may have gone while it waited; then nothing will end any more.
  if (reply.raw.closed) leave();
  for (const end of ['finish', 'close']) reply.raw.once(end, leave);
}
