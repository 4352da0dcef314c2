import { vi } from "vitest";

/** A replacement for `EventSource` that the test feeds. */
export class FakeEventSource {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readonly url: string;
  readyState = FakeEventSource.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(url: string) {
    this.url = url;
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.onopen?.();
  }
  send(data: unknown): void {
    this.onmessage?.({ data: typeof data === "string" ? data : JSON.stringify(data) });
  }
  /** Breaks the connection: it reconnects, or is closed for good if `refused`. */
  fail(refused: boolean): void {
    this.readyState = refused ? FakeEventSource.CLOSED : FakeEventSource.CONNECTING;
    this.onerror?.();
  }
}

/** Stubs the global `EventSource`. Returns the array of opened streams, the newest last. */
export function stubEventSource(): FakeEventSource[] {
  const sources: FakeEventSource[] = [];
  class RecordedEventSource extends FakeEventSource {
    constructor(url: string) {
      super(url);
      sources.push(this);
    }
  }
  vi.stubGlobal("EventSource", RecordedEventSource);
  return sources;
}
