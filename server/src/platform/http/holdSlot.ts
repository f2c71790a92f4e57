import type { FastifyReply } from 'fastify';
import type { Slots } from '../limits/slots.ts';

/** Acquires a slot until the response is fully sent or the client disconnects. @throws `overloaded` */
export async function holdSlot(slots: Slots, key: string, reply: FastifyReply): Promise<void> {
  const leave = await slots.take(key);
  // The client may have disconnected while waiting: then neither event fires.
  if (reply.raw.closed) leave();
  for (const end of ['finish', 'close']) reply.raw.once(end, leave);
}
