import type { Readable } from "node:stream";
import type { Environment } from "../config/environment.ts";
import { createStyle, type Style, wantsColor } from "./style.ts";

/** An input stream. Terminals have `setRawMode`: in raw mode, typed characters are not echoed. */
export type InputStream = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
/** An output stream; terminals have `columns`. */
export type OutputStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string | Uint8Array): unknown;
  /** Real terminals tell when their window was resized. */
  on?(event: "resize", listener: () => void): unknown;
  off?(event: "resize", listener: () => void): unknown;
};

/** The streams and the environment of a command. */
export type Io = {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
};

/** Returns the style of a stream: colours and signs that it can show. */
export function createStreamStyle(stream: OutputStream, io: Io, flags: { readonly color: boolean }): Style {
  return createStyle(wantsColor(flags.color, io.env, stream.isTTY === true), io.env.unicode);
}
