import { type AnyCommand, defineCommand } from "../../command.ts";
import { rm } from "./rm.ts";

/** The commands of `rm`. */
export const commands: readonly AnyCommand[] = [defineCommand(rm)];
