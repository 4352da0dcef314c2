import { type AnyCommand, defineCommand } from "../../command.ts";
import { usageReport } from "./report.ts";
import { usageRequests } from "./requests.ts";
import { usageShow } from "./show.ts";

/** The commands of `usage`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(usageReport),
  defineCommand(usageRequests),
  defineCommand(usageShow),
];
