import { type AnyCommand, entry } from "../../../command.ts";
import { adminUsage } from "./report.ts";

export const commands: readonly AnyCommand[] = [entry(adminUsage)];
