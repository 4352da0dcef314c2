import { type AnyCommand, defineCommand } from "../../command.ts";
import { speak } from "./speak.ts";

/** The commands of `speak`. */
export const commands: readonly AnyCommand[] = [defineCommand(speak)];
