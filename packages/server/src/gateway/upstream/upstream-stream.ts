import type { IncomingHttpHeaders } from "node:http";
import { errors } from "../../platform/core/errors/index.ts";
import { type IdleTimer, startIdleTimer } from "../../platform/core/idle-timer.ts";
import { createSseParser } from "../apis/sse.ts";
import { type StreamEvent, type StreamParser, UnreadableStreamError } from "../apis/stream-format.ts";
import { type Chunk, type ChunkReader, DONE, type StreamState } from "../formats/chunks.ts";
import {
  type Controller,
  createBody,
  dispatchAbortable,
  type UpstreamRequest,
  type UpstreamResponse,
} from "./response.ts";

/** The time for a backend to end the response after its last event, so that the connection can be reused, in milliseconds. */
const DRAIN_TIMEOUT_MS = 1_000;
/**
 * The number of bytes that are parsed before the caller's readiness is checked. Parsed events need more memory than bytes.
 */
const PIECE_BYTES = 8 * 1024;

/** The number of bytes that suffice to distinguish a JSON object, with white space before it, from a stream of events. */
const SNIFFED_BYTES = 64;

/** Takes chunks. Returns a promise if the next ones must wait until it resolves. */
export type ChunkSink = (chunks: Chunk[]) => Promise<void> | undefined;

/** A backend's streamed answer. It is read only as fast as its chunks are taken. */
export type UpstreamStream = {
  state: StreamState;
  /** The headers of the backend's response. */
  readonly headers: IncomingHttpHeaders;
  /**
   * Passes on the chunks that have arrived and that arrive until the answer is complete or the response ends. Rejects if
   * the connection breaks or the sink fails, and with `upstream_timeout` if nothing arrives within the given milliseconds.
   */
  forward(sink: ChunkSink, idleMs: number): Promise<void>;
  /** Releases the connection, whatever the state of the stream. */
  close(): void;
};
/**
 * The result of opening: a stream with a first chunk, the state of a stream that ended without a chunk, or a response with
 * a status other than 200.
 */
export type OpenedStream = { stream: UpstreamStream } | { empty: StreamState } | { response: UpstreamResponse };

/** What reads a response: the parser of its bytes, and the reader of the events in them. */
type Reading = { reader: ChunkReader; parser: StreamParser };

/**
 * Sends a request. Resolves when the first chunk, or the end of the response, has arrived. Rejects with the error of the
 * connection, and with `upstream_timeout` if nothing arrives within the given milliseconds.
 */
export function openUpstreamStream(
  request: UpstreamRequest,
  reader: ChunkReader,
  firstByteMs: number,
  parser: StreamParser = createSseParser(),
): Promise<OpenedStream> {
  const reading = { reader, parser };
  return new Promise((resolve, reject) => new StreamedResponse(request, reading, firstByteMs, { resolve, reject }));
}

type Settle<T> = { resolve(value: T): void; reject(error: unknown): void };

/** The response to a request for a stream. Its methods call each other without promises in between. */
class StreamedResponse implements UpstreamStream {
  readonly state: StreamState;
  readonly #reader: ChunkReader;
  readonly #parser: StreamParser;
  readonly #waiting: Chunk[] = [];
  /** The parts of a body that is read whole: a refusal, or an answer that is no stream. */
  readonly #body: ReturnType<typeof createBody>;
  #opening: Settle<OpenedStream> | null;
  #forwarding: Settle<void> | null = null;
  #sink: ChunkSink | null = null;
  #controller: Controller | null = null;
  #idle: IdleTimer | null = null;
  #draining: NodeJS.Timeout | undefined;
  #idleMs = 0;
  /** Whether the sink has to be awaited before the next chunks. */
  #isHeld = false;
  /** Bytes that have arrived and are parsed when the sink is ready; null without any. */
  #unread: Buffer | null = null;
  #statusCode = 0;
  /** Whether the body is a stream of events; null before its first bytes. */
  #isStream: boolean | null = null;
  #headers: IncomingHttpHeaders = {};
  #ended = false;
  #failure: { error: unknown } | null = null;

  constructor(
    request: UpstreamRequest,
    { reader, parser }: Reading,
    firstByteMs: number,
    opening: Settle<OpenedStream>,
  ) {
    this.state = reader.state;
    this.#reader = reader;
    this.#parser = parser;
    this.#opening = opening;
    this.#body = createBody(request.maxBodyBytes);
    dispatchAbortable(request, {
      onResponseStart: (controller, statusCode, headers) => {
        this.#controller = controller;
        controller.rawHeaders = null; // parts of the first buffer of the connection, which would stay as long as the answer
        this.#statusCode = statusCode;
        this.#headers = headers;
        this.#startTimer(firstByteMs);
      },
      onResponseData: (controller, part) => this.#read(controller, part),
      onResponseEnd: () => this.#end(),
      onResponseError: (_controller, error) => this.#fail(error),
    });
  }

  get headers(): IncomingHttpHeaders {
    return this.#headers;
  }

  forward(sink: ChunkSink, idleMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#forwarding = { resolve, reject };
      this.#sink = sink;
      this.#startTimer(idleMs);
      if (this.#waiting.length > 0) this.#pass(this.#waiting.splice(0));
      this.#readRest();
      if (!this.#isHeld) this.#controller?.resume();
    });
  }

  close(): void {
    this.#stopTimer();
    this.#sink = null;
    this.#unread = null;
    if (this.#ended) return;
    if (this.state.done && !this.state.failed) {
      this.#controller?.resume();
      this.#draining = setTimeout(() => this.#abort(), DRAIN_TIMEOUT_MS);
    } else this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(errors.upstreamError("The answer is no longer needed."));
  }

  #startTimer(milliseconds: number): void {
    this.#idleMs = milliseconds;
    this.#stopTimer();
    if (this.#ended) return;
    this.#idle = startIdleTimer(milliseconds, () =>
      this.#controller?.abort(errors.upstreamTimeout("The backend stopped in the middle of the answer.")),
    );
  }

  #stopTimer(): void {
    this.#idle?.stop();
    this.#idle = null;
    clearTimeout(this.#draining);
  }

  #read(controller: Controller, part: Buffer): void {
    if (this.state.done || this.state.failed) return; // do not restart the time that is left to end the response
    if (!this.#isHeld) this.#idle?.note();
    this.#isStream ??= this.#statusCode === 200 ? !startsObject(part) : false;
    if (!this.#isStream) return void this.#body.add(controller, part);
    this.#readPieces(this.#unread === null ? part : Buffer.concat([this.#unread, part]));
    this.#settle();
  }

  #readPieces(part: Buffer): void {
    this.#unread = null;
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      if (this.#isHeld || this.#waiting.length > 0) {
        const rest = part.subarray(at);
        // The rest is copied if it is small, so that it does not keep the whole buffer of the connection in memory.
        this.#unread = rest.length * 2 < rest.buffer.byteLength ? Buffer.from(rest) : rest;
        return;
      }
      const piece = part.length > PIECE_BYTES ? part.subarray(at, at + PIECE_BYTES) : part;
      const chunks = this.#parse(() => this.#parser.push(piece));
      if (chunks.length > 0) this.#pass(chunks);
      else if (this.state.done || this.state.failed) this.#openEmpty();
      if (this.state.done || this.state.failed) return;
    }
  }

  #parse(readEvents: () => StreamEvent[]): Chunk[] {
    try {
      const chunks: Chunk[] = [];
      for (const { data, event } of readEvents()) {
        const chunk = this.#reader.read(data, event);
        if (chunk !== null) chunks.push(chunk);
      }
      if (this.state.done) chunks.push(...this.#reader.end());
      return chunks;
    } catch (error) {
      if (!(error instanceof UnreadableStreamError)) throw error;
      this.state.failed = true;
      return [];
    }
  }

  /** Passes chunks to the sink. Without a sink, keeps them and pauses the response. */
  #pass(chunks: Chunk[]): void {
    if (this.#sink === null) {
      this.#waiting.push(...chunks);
      this.#controller?.pause();
      this.#open();
      return;
    }
    const ready = this.#sink(chunks);
    if (ready === undefined) return;
    this.#isHeld = true;
    this.#controller?.pause();
    this.#stopTimer(); // a slow caller is not the backend's fault
    ready
      .then(() => this.#resume())
      .catch((error: unknown) => {
        this.#fail(error);
        this.#abort();
      });
  }

  /** Parses the bytes that have waited, and then continues to read, because the sink is ready again. */
  #resume(): void {
    this.#isHeld = false;
    this.#readRest();
    if (this.#isHeld) return;
    this.#startTimer(this.#idleMs);
    this.#controller?.resume();
  }

  #readRest(): void {
    if (this.#unread !== null) this.#readPieces(this.#unread);
    this.#settle();
  }

  #open(): void {
    this.#opening?.resolve({ stream: this });
    this.#opening = null;
  }

  /** Resolves the opening of a stream without a chunk. */
  #openEmpty(): void {
    if (this.#opening === null) return;
    this.#opening.resolve({ empty: this.state });
    this.#opening = null;
    this.close();
  }

  #end(): void {
    this.#ended = true;
    this.#stopTimer();
    if (this.#statusCode !== 200) {
      this.#opening?.resolve({
        response: { statusCode: this.#statusCode, headers: this.#headers, text: this.#body.text() },
      });
      this.#opening = null;
    } else if (this.#isStream === false) {
      const text = this.#body.text();
      const chunks = this.#parse(() => [{ data: text }, { data: DONE }]);
      if (chunks.length > 0) this.#pass(chunks);
    }
    this.#settle();
    if (this.#unread === null) this.#openEmpty();
  }

  /** Passes on the ends of the choices if the response has ended without `[DONE]`. */
  #passEnds(): void {
    if (!this.#ended || this.#unread !== null || this.#statusCode !== 200 || this.#failure !== null) return;
    const chunks = this.#reader.end();
    if (chunks.length > 0) this.#pass(chunks);
  }

  #fail(error: unknown): void {
    this.#ended = true;
    this.#stopTimer();
    this.#failure ??= { error };
    this.#opening?.reject(error);
    this.#opening = null;
    this.#settle();
  }

  /** Resolves or rejects `forward` if nothing more will arrive. */
  #settle(): void {
    this.#passEnds();
    if (this.#failure !== null) this.#forwarding?.reject(this.#failure.error);
    else if ((this.#ended && this.#unread === null) || this.state.done || this.state.failed)
      this.#forwarding?.resolve();
  }
}

/** Returns whether a body begins with a JSON object: some backends send a buffered answer although a stream was requested. */
function startsObject(part: Buffer): boolean {
  return part.toString("latin1", 0, SNIFFED_BYTES).trimStart().startsWith("{");
}
