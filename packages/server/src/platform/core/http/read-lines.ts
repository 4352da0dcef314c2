/**
 * Returns the lines of a body, which end with LF, CR or CRLF. Of a line that is longer than `maxLength` characters, only the
 * beginning is kept, so that a line without end takes no more memory. Not `readline`, which has no limit and swallows the
 * errors of its input.
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array> | null,
  maxLength: number,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let line = "";
  let endedWithReturn = false;
  for await (const part of body ?? []) {
    const decoded = decoder.decode(part, { stream: true });
    if (decoded === "") continue;
    const text = endedWithReturn && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    endedWithReturn = decoded.endsWith("\r");
    for (const [at, piece] of text.split(/\r\n|\n|\r/).entries()) {
      if (at > 0) {
        yield line;
        line = "";
      }
      if (line.length < maxLength) line = (line + piece).slice(0, maxLength);
    }
  }
  if (line !== "") yield line;
}
