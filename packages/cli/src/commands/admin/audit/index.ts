import { type AnyCommand, entry } from "../../../command.ts";
import { auditList } from "./list.ts";

export const commands: readonly AnyCommand[] = [entry(auditList)];
