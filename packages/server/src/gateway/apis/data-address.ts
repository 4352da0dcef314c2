/** The media type and the content of a `data:` address, in base64. */
export type MediaData = { mediaType: string; data: string };

const DATA_ADDRESS = /^data:([^;,]+)(?:;[^,]*)?;base64,/;

/** Returns what a `data:` address holds; null for an address of another kind. */
export function readDataAddress(address: unknown): MediaData | null {
  const found = typeof address === "string" ? DATA_ADDRESS.exec(address) : null;
  if (found === null) return null;
  return { mediaType: found[1] ?? "", data: String(address).slice(found[0].length) };
}
