import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminRevenue } from "./report.ts";

/** The commands of `admin revenue`. */
export const commands: readonly AnyCommand[] = [defineCommand(adminRevenue)];
