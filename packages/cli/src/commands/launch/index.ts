import { type AnyCommand, defineCommand } from "../../command.ts";
import { launch } from "./launch.ts";

/** The commands of `launch`. */
export const commands: readonly AnyCommand[] = [defineCommand(launch)];
