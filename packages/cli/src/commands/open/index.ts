import { type AnyCommand, entry } from "../../command.ts";
import { open } from "./open.ts";

/** The commands of `open`. */
export const commands: readonly AnyCommand[] = [entry(open)];
