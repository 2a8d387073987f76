/** Reads the first `bytesMax` bytes of a body as text, so that an endless answer costs no more. */
export async function readResponse(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let readBytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk as Uint8Array);
    readBytes += (chunk as Uint8Array).length;
    if (readBytes >= bytesMax) break; // leaving the loop cancels the rest
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8');
}
