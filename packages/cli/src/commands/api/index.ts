import { type AnyCommand, defineCommand } from "../../command.ts";
import { api } from "./request.ts";

/** The commands of `api`. */
export const commands: readonly AnyCommand[] = [defineCommand(api)];
