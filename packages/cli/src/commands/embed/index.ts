import { type AnyCommand, defineCommand } from "../../command.ts";
import { embed } from "./embed.ts";

/** The commands of `embed`. */
export const commands: readonly AnyCommand[] = [defineCommand(embed)];
