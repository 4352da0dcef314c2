import { type AnyCommand, entry } from "../../../command.ts";
import { adminOutbox } from "./list.ts";

/** The commands of `admin outbox`. */
export const commands: readonly AnyCommand[] = [entry(adminOutbox)];
