import { type AnyCommand, entry } from "../../../command.ts";
import { adminUsage } from "./report.ts";

/** The commands of `admin usage`. */
export const commands: readonly AnyCommand[] = [entry(adminUsage)];
