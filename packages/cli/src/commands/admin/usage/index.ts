import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminUsage } from "./report.ts";

/** The commands of `admin usage`. */
export const commands: readonly AnyCommand[] = [defineCommand(adminUsage)];
