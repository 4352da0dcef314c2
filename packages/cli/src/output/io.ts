import type { Readable } from "node:stream";
import type { Environment } from "../config/environment.ts";
import { createStyle, type Style, wantsColor } from "./style.ts";

/** An input stream. Terminals have `setRawMode`: in raw mode, typed characters are not echoed. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
/** An output stream; terminals have `columns`. */
export type Stream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string | Uint8Array): unknown };

/** The streams and the environment of a command. */
export type Io = { readonly stdin: Input; readonly stdout: Stream; readonly stderr: Stream; readonly env: Environment };

/** Returns the style of a stream: colours and signs that it can show. */
export function styleOf(stream: Stream, io: Io, flags: { readonly color: boolean }): Style {
  return createStyle(wantsColor(flags.color, io.env, stream.isTTY === true), io.env.unicode);
}
