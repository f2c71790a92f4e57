/** Maximum size of a feed's body in bytes, after decompression. */
export const FEED_BYTES_MAX = 2 * 1024 * 1024;
