import type { Readable } from "node:stream";
import type { Environment } from "../config/environment.ts";
import { createStyle, type Style, wantsColor } from "./style.ts";

/** `setRawMode` is there where it is a terminal: in raw mode, what is typed is not shown. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
export type Stream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string | Uint8Array): unknown };

/** Where a command reads and writes, and what it knows of the world. */
export type Io = { readonly stdin: Input; readonly stdout: Stream; readonly stderr: Stream; readonly env: Environment };

/** The style of a stream. */
export function styleOf(stream: Stream, io: Io, flags: { readonly color: boolean }): Style {
  return createStyle(wantsColor(flags.color, io.env, stream.isTTY === true), io.env.unicode);
}
