/** Longest accepted event, in characters. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** An event of a stream exceeds the limit. */
export class EventTooLongError extends Error {
  override readonly name = "EventTooLongError";
}

/** Parses server-sent events from chunks of bytes split anywhere. Only `data` fields are kept. */
export function createSseParser() {
  const decoder = new TextDecoder();
  let buffered = "";
  let pendingCarriageReturn = false;

  /** Normalizes line ends to line feeds, also when a CR LF pair is split across chunks. */
  function decode(bytes: Uint8Array): string {
    let text = decoder.decode(bytes, { stream: true });
    if (pendingCarriageReturn) text = `\r${text}`;
    pendingCarriageReturn = text.endsWith("\r");
    if (pendingCarriageReturn) text = text.slice(0, -1);
    return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  }

  return {
    /** Returns the data of the events that these bytes complete. Throws `EventTooLongError`. */
    push(bytes: Uint8Array): string[] {
      const text = decode(bytes);
      buffered += text;
      if (buffered.length > MAX_EVENT_CHARACTERS && !text.includes("\n"))
        throw new EventTooLongError("An event is too long.");
      if (!text.includes("\n")) return [];
      const end = buffered.lastIndexOf("\n\n");
      if (end < 0) return [];
      const events = buffered.slice(0, end).split("\n\n");
      buffered = buffered.slice(end + 2);
      const data: string[] = [];
      for (const event of events) {
        const eventData = parseEventData(event);
        if (eventData !== null) data.push(eventData);
      }
      return data;
    },
  };
}

function parseEventData(event: string): string | null {
  if (event.startsWith("data: ") && !event.includes("\n")) return event.slice(6);
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}
