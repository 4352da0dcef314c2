import { type AnyCommand, entry } from "../../command.ts";
import { usageReport } from "./report.ts";
import { usageRequests } from "./requests.ts";
import { usageShow } from "./show.ts";

/** The commands of `usage`. */
export const commands: readonly AnyCommand[] = [entry(usageReport), entry(usageRequests), entry(usageShow)];
