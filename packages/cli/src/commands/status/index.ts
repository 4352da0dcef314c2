import { type AnyCommand, entry } from "../../command.ts";
import { statusShow } from "./show.ts";

/** The commands of `status`. */
export const commands: readonly AnyCommand[] = [entry(statusShow)];
