import { type AnyCommand, defineCommand } from "../../command.ts";
import { ps } from "./ps.ts";

/** The commands of `ps`. */
export const commands: readonly AnyCommand[] = [defineCommand(ps)];
