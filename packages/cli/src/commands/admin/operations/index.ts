import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminOperations } from "./show.ts";

/** The commands of `admin operations`. */
export const commands: readonly AnyCommand[] = [defineCommand(adminOperations)];
