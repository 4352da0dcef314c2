import { type AnyCommand, entry } from "../../command.ts";
import { accountDelete } from "./delete.ts";

export const commands: readonly AnyCommand[] = [entry(accountDelete)];
