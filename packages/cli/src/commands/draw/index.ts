import { type AnyCommand, defineCommand } from "../../command.ts";
import { draw } from "./draw.ts";

/** The commands of `draw`. */
export const commands: readonly AnyCommand[] = [defineCommand(draw)];
