/** How much a buffer holds. */
export type BufferLimits = { maxBytes: number; maxEvents: number };

/** The newest events of a stream. Events have numbers, from 1 on. */
export type EventBuffer = {
  /** Adds events. Drops the oldest ones beyond the limits. */
  append(events: readonly string[]): void;
  /** Returns events from a number on as one text, and the number after them; null where an event is no longer kept. */
  read(from: number): { text: string; next: number } | null;
  /** Drops the oldest events until at most this many bytes are left. */
  shrinkTo(maxBytes: number): void;
  /** The number of the oldest event that is kept; that of the next event where none is. */
  first(): number;
  /** The number of the newest event; 0 before the first. */
  last(): number;
  bytes(): number;
};

/** Characters that are read at once. */
const MAX_READ_LENGTH = 64 * 1024;
/** Dropped entries are removed from the list once there are this many. */
const COMPACT_AT = 1_024;

/** Creates an empty buffer. The newest event is always kept, whatever its size. */
export function createEventBuffer({ maxBytes, maxEvents }: BufferLimits): EventBuffer {
  let events: { text: string; bytes: number }[] = [];
  /** The number of entries at the beginning of the list that were dropped. */
  let dropped = 0;
  /** The number of the first entry of the list. */
  let offset = 1;
  let total = 0;

  const count = () => events.length - dropped;
  function shrink(bytes: number, most: number): void {
    while (count() > 1 && (total > bytes || count() > most)) {
      const oldest = events[dropped];
      total -= oldest?.bytes ?? 0;
      events[dropped] = { text: "", bytes: 0 };
      dropped += 1;
    }
    if (dropped < COMPACT_AT || dropped * 2 < events.length) return;
    events = events.slice(dropped);
    offset += dropped;
    dropped = 0;
  }

  return {
    append(texts) {
      for (const event of texts) {
        const text = withNumber(event, offset + events.length);
        const bytes = Buffer.byteLength(text);
        events.push({ text, bytes });
        total += bytes;
      }
      shrink(maxBytes, maxEvents);
    },
    read(from) {
      if (from < offset + dropped) return null;
      let text = "";
      let next = from;
      for (; next < offset + events.length && text.length < MAX_READ_LENGTH; next++)
        text += events[next - offset]?.text ?? "";
      return { text, next };
    },
    shrinkTo: (bytes) => shrink(bytes, maxEvents),
    first: () => offset + dropped,
    last: () => offset + events.length - 1,
    bytes: () => total,
  };
}

/** Puts the number of an event before its first line that is no comment. */
function withNumber(event: string, number: number): string {
  const comments = /^(?::.*\n+)*/.exec(event)?.[0] ?? "";
  return `${comments}id: ${number}\n${event.slice(comments.length)}`;
}

/**
 * Splits the text of a stream into events. A comment belongs to the event after it; comments at the end are returned as `rest`,
 * to be put before the next text.
 */
export function splitEvents(text: string): { events: string[]; rest: string } {
  const events: string[] = [];
  let comments = "";
  for (const part of text.split("\n\n")) {
    if (part === "") continue;
    if (part.startsWith(":")) comments += `${part}\n\n`;
    else {
      events.push(`${comments}${part}\n\n`);
      comments = "";
    }
  }
  return { events, rest: comments };
}
