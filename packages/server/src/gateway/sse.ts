/** Longest accepted event, in characters. */
const LONGEST_EVENT = 16 * 1024 * 1024;

/** An event of a stream exceeds the limit. */
export class EventTooLongError extends Error {
  override readonly name = "EventTooLongError";
}

/** Parses server-sent events from chunks of bytes split anywhere. Only `data` fields are kept. */
export function createSseParser() {
  const decoder = new TextDecoder();
  let rest = "";
  let heldReturn = false;

  /** Normalizes line ends to line feeds, also when a CR LF pair is split across chunks. */
  function decode(bytes: Uint8Array): string {
    let text = decoder.decode(bytes, { stream: true });
    if (heldReturn) text = `\r${text}`;
    heldReturn = text.endsWith("\r");
    if (heldReturn) text = text.slice(0, -1);
    return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  }

  return {
    /** Returns the data of the events that these bytes complete. Throws `EventTooLongError`. */
    push(bytes: Uint8Array): string[] {
      const text = decode(bytes);
      rest += text;
      if (rest.length > LONGEST_EVENT && !text.includes("\n")) throw new EventTooLongError("An event is too long.");
      if (!text.includes("\n")) return [];
      const end = rest.lastIndexOf("\n\n");
      if (end < 0) return [];
      const events = rest.slice(0, end).split("\n\n");
      rest = rest.slice(end + 2);
      const data: string[] = [];
      for (const event of events) {
        const found = dataOf(event);
        if (found !== null) data.push(found);
      }
      return data;
    },
  };
}

function dataOf(event: string): string | null {
  if (event.startsWith("data: ") && !event.includes("\n")) return event.slice(6);
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}
