/** Bytes of the body of a feed, after decompression. */
export const FEED_BYTES_MAX = 2 * 1024 * 1024;
