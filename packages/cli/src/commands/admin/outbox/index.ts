import { type AnyCommand, entry } from "../../../command.ts";
import { adminOutbox } from "./list.ts";

export const commands: readonly AnyCommand[] = [entry(adminOutbox)];
