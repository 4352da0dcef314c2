import { type AnyCommand, defineCommand } from "../../../command.ts";
import { auditList } from "./list.ts";

/** The commands of `admin audit`. */
export const commands: readonly AnyCommand[] = [defineCommand(auditList)];
