import { type AnyCommand, entry } from "../../command.ts";
import { accountDelete } from "./delete.ts";

/** The commands of `account`. */
export const commands: readonly AnyCommand[] = [entry(accountDelete)];
