import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminOutbox } from "./list.ts";

/** The commands of `admin outbox`. */
export const commands: readonly AnyCommand[] = [defineCommand(adminOutbox)];
