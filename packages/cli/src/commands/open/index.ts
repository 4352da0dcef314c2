import { type AnyCommand, entry } from "../../command.ts";
import { open } from "./open.ts";

export const commands: readonly AnyCommand[] = [entry(open)];
