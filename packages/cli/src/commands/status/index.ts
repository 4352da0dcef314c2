import { type AnyCommand, entry } from "../../command.ts";
import { statusShow } from "./show.ts";

export const commands: readonly AnyCommand[] = [entry(statusShow)];
