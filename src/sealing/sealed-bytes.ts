/**
 * The largest sealed PDF, in bytes: an attached file of 150 MB with its certificate, and with the time-stamps that are added over the
 * years. `/verify` reads as much.
 */
export const sealedBytesMax = 160 * 2 ** 20;
/** What a sealed PDF has besides an embedded file and the pictures of its pages. */
export const certificateBytesMax = 6 * 2 ** 20;
