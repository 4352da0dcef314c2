import { type AnyCommand, defineCommand } from "../../command.ts";
import { top } from "./top.ts";

/** The commands of `top`. */
export const commands: readonly AnyCommand[] = [defineCommand(top)];
