import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminProviders } from "./list.ts";

/** The commands of `admin providers`. */
export const commands: readonly AnyCommand[] = [defineCommand(adminProviders)];
